// SPDX-License-Identifier: MIT
/* rssck run: runs any program, and audits it while it runs. */
#include "run.h"
#include "audit/report.h"
#include "base/guest.h"
#include "base/kmsg.h"
#include "base/output.h"
#include "base/print/style.h"
#include "base/print/ticker.h"
#include "cmd/line/options.h"
#include "engine/workload/guard.h"
#include "scan/audit/measure.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/*
 * The exit status, in order of precedence: a finding, an unconfirmed finding, the command's own
 * status, nothing could be checked.
 */
static int status_of(const struct auditor *a, const struct results *r, const struct run_options *o)
{
	int status = a->tree.status;

	if (r->count[VERDICT_FAIL])
		return (int)o->error_exitcode;
	if (r->count[VERDICT_ERROR])
		return EXIT_TROUBLE;
	if (WIFSIGNALED(status))
		return EXIT_SIGNAL + WTERMSIG(status);
	if (WEXITSTATUS(status))
		return WEXITSTATUS(status);
	return a->numbers[CHECK_IDENTITIES] ? EXIT_HOLDS : EXIT_NOTHING;
}

static int run_in(struct group *g, pid_t guard, const struct run_options *o, const struct host *h,
		  struct measured *m, char **command)
{
	static struct auditor a; /* static, because a small stack has no room for it */
	struct started s;
	struct results r;
	int status, log = kmsg_open();

	status = run_start(&s, command, o->exits, g);
	if (status)
		return status;
	auditor_open(&a, h, m, s.pid);
	a.log = log;
	a.held_wanted = o->held;
	a.group = g->asked ? g : NULL;
	a.tree.guard = guard;
	if (o->exits)
		tree_is_traced(&a.tree);
	if (o->wrapper)
		auditor_leave_out(&a, command);
	run_follow(&a, &s, o);
	auditor_end(&a);
	audit_results(&a, &r);
	status = run_report(&a, &r, o, command);
	if (!status)
		status = status_of(&a, &r, o);
	results_free(&r);
	auditor_close(&a);
	return status;
}

static void remove_group(const void *group)
{
	group_remove(group);
}

/* Starts the guard before anything exists that the guard must remove. */
static int run(const struct run_options *o, const struct host *h, struct measured *m,
	       char **command)
{
	static struct group g;
	struct guard guard = { .alive = -1 };
	int status;

	if (o->cgroup || guest_is_here())
		group_find(&g);
	if (g.path[0])
		guard_start_for(&guard, remove_group, &g);
	group_make(&g);
	status = run_in(&g, guard.pid, o, h, m, command);
	group_remove(&g);
	guard_end(&guard);
	return status;
}

static void measure_with_line(struct measured *m, bool verbose)
{
	struct ticker ticker;

	ticker_open(&ticker);
	if (verbose)
		ticker_show(&ticker, "measuring the counter models");
	measure(m);
	ticker_close(&ticker);
}

static int take_decimal(double *value, const char *name, const char *word, double least,
			double most)
{
	char *end;

	*value = strtod(word, &end);
	if (end != word && !*end && *value >= least && *value <= most)
		return 0;
	usage_error("run", "--%s takes a number from %g to %g, not '%s'", name, least, most, word);
	return -1;
}

static int take_every(void *options, const char *word)
{
	return take_decimal(&((struct run_options *)options)->every, "every", word, 0.001, 86400);
}

static int take_held(void *options, const char *word)
{
	return take_decimal(&((struct run_options *)options)->held, "held", word, 0.1, 99);
}

static int take_plot(void *options, const char *file)
{
	const char *dot = strrchr(file, '.');

	((struct run_options *)options)->plot = file;
	if (dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".png")))
		return 0;
	return usage_error("run", "--plot=FILE takes a .svg or a .png file, not '%s'", file), -1;
}

#define INTO(member) .at = offsetof(struct run_options, member)
static const struct option_row rows[] = {
	{ "every", OPTION_TAKEN, "SECONDS",
	  "time between audits (1); at the beginning, audits are more "
	  "frequent",
	  .take = take_every },
	{ "held", OPTION_TAKEN, "PERCENT",
	  "stop the program for at most PERCENT of the time (5); audits that take longer become "
	  "less frequent",
	  .take = take_held },
	{ "format", OPTION_CHOICE, "FORMAT",
	  "format of the report: text (the default), json, ktap or junit", INTO(format),
	  .choices = option_formats, .more = "JSON has the schema rssck-run/1." },
	{ "output", OPTION_WORD, "FILE", "write the report to FILE instead of stderr; - is stdout",
	  INTO(output), .more = "FILE is written completely or not at all." },
	{ "plot", OPTION_TAKEN, "FILE",
	  "draw RSS, PSS, USS and the lag over time: FILE.svg or FILE.png", .take = take_plot },
	{ "error-exitcode", OPTION_NUMBER, "N", "exit status if there is a finding (1)",
	  INTO(error_exitcode), .number = 255 },
	{ "exits", OPTION_FLAG, NULL,
	  "also audit each process when it ends, while it still has all its memory; the program is "
	  "then traced all the time, as strace(1) does",
	  INTO(exits),
	  .more = "This also audits processes that live for less than the time between two audits, "
		  "and finds counters that an earlier error has left wrong. A traced program cannot "
		  "trace itself, a set-user-ID program gets only its caller's rights, and a "
		  "program that starts many processes or gets many signals is slower. --held "
		  "limits these audits, too. Processes that end when its time is used up are "
		  "reported as not audited (use --held=99 for a test suite)." },
	{ "cgroup", OPTION_FLAG, NULL,
	  "give the program its own cgroup (v2) below rssck's, and compare the memory charged "
	  "to it with the memory that its processes map; in a guest of rssck vm it always has one. A "
	  "wrong number stops the program for five seconds, until the error is certain",
	  INTO(cgroup),
	  .more = "memory.current, memory.swap.current, and anon, file_mapped, shmem, anon_thp, "
		  "kernel_stack and pagetables of memory.stat are compared with /proc/kpagecgroup. "
		  "memory.stat may lag, because each CPU adds its part later. If a number was wrong at the "
		  "last audit and could not be read again, the check ends "
		  "in an error, and the exit status is 2. Settings of existing cgroups are not "
		  "changed. If the memory controller is not available to cgroups below rssck's "
		  "(cgroup.subtree_control), or without root's rights, this check is skipped with "
		  "that reason. The cgroup is removed at the end; processes that still run in it "
		  "move to rssck's." },
	{ "wrapper", OPTION_FLAG, NULL,
	  "the command only starts the program, as a shell or time(1) does, and is not audited "
	  "itself",
	  INTO(wrapper) },
	{ "no-model", OPTION_FLAG, NULL,
	  "do not measure the counter models; the lag is then reported, but not judged",
	  INTO(no_model) },
	{ "quiet", OPTION_FLAG, NULL, "do not print a line for each audit on a terminal",
	  INTO(quiet) },
	OPTION_ROW_COLOUR(colour),
	{ .name = NULL },
};

static int parse(struct run_options *o, int argc, char **argv)
{
	int first;

	*o = (struct run_options) { .every = 1,
				    .held = 5,
				    .error_exitcode = EXIT_FAILS,
				    .colour = style_is_wanted(stderr) };
	first = options_read(&command_run, o, argc, argv);
	if (first <= 0 || first < argc)
		return first;
	usage_error("run", "no command; its name follows the options");
	return -1;
}

static int cmd_run(int argc, char **argv)
{
	static struct measured m = { .why = "--no-model was given" };
	struct run_options o;
	struct host h;
	int first = parse(&o, argc, argv), status;
	char why[512];

	if (first < 0)
		return EXIT_TROUBLE;
	if (!first)
		return EXIT_HOLDS;
	if ((o.output && output_check(o.output, why, sizeof(why))) ||
	    (o.plot && output_check(o.plot, why, sizeof(why))) ||
	    host_probe(&h, why, sizeof(why)) || host_shows_ours(why, sizeof(why)) < 0)
		return trouble("%s", why);
	if (!o.no_model)
		measure_with_line(&m, !o.quiet);
	status = run(&o, &h, &m, argv + first);
	host_close(&h);
	return status;
}

const struct command command_run = {
	.name = "run",
	.run = cmd_run,
	.usage = "[OPTION]... [--] COMMAND [ARGUMENT]...",
	.help = "run any program and check its memory accounting while it runs",
	.about =
		"All processes and threads of the program are stopped repeatedly, for some "
		"milliseconds each time. Every source of each process is read, and the rules that hold "
		"for any process are checked.\n\nTo request an audit, the program writes a name for it "
		"to the file that $RSSCK_MARK names.",
	.rows = rows,
	.exits =
		"the command's own (128 + N if signal N killed it) if all numbers are right; 1, or "
		"--error-exitcode, if a number is wrong; 4 if nothing could be checked and the "
		"command succeeded; 2 if rssck failed (usage or internal error), or the last "
		"audit found a wrong number that could not be read again; 126 if the "
		"command cannot be run; 127 if it was not found",
	.words = WORD_PROGRAM,
	.runs_another = true,
};
