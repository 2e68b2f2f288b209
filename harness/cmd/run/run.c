// SPDX-License-Identifier: MIT
/* rssck run: any program, audited while it runs. */
#include "run.h"
#include "audit/report.h"
#include "base/guest.h"
#include "base/output.h"
#include "base/print/style.h"
#include "base/print/ticker.h"
#include "cmd/line/options.h"
#include "engine/log/log.h"
#include "engine/workload/guard.h"
#include "scan/audit/measure.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * In this order: a finding, an unconfirmed one, the command's own status, nothing could be checked.
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
	static struct auditor a; /* too much for a small stack */
	struct started s;
	struct results r;
	int status, log = log_open();

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

/* The guard is there before anything has to be removed. */
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
		ticker_show(&ticker, "measuring how the counters count");
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
	return usage_error("run", "--plot=FILE is a .svg or a .png, not '%s'", file), -1;
}

#define INTO(member) .at = offsetof(struct run_options, member)
static const struct option_row rows[] = {
	{ "every", OPTION_TAKEN, "SECONDS", "time between audits (1); the first ones come sooner",
	  .take = take_every },
	{ "held", OPTION_TAKEN, "PERCENT",
	  "stop the program for at most PERCENT of the time (5): audits that take longer "
	  "come less often",
	  .take = take_held },
	{ "format", OPTION_CHOICE, "FORMAT",
	  "format of the report: text (the default), json, ktap or junit", INTO(format),
	  .choices = option_formats, .more = "JSON has the schema rssck-run/1." },
	{ "output", OPTION_WORD, "FILE", "write the report there, not to stderr; - is stdout",
	  INTO(output), .more = "The file is whole, or not there." },
	{ "plot", OPTION_TAKEN, "FILE",
	  "draw RSS, PSS, USS and the lag over time: FILE.svg or FILE.png", .take = take_plot },
	{ "error-exitcode", OPTION_NUMBER, "N", "exit status if something is wrong (1)",
	  INTO(error_exitcode), .number = 255 },
	{ "exits", OPTION_FLAG, NULL,
	  "audit each process at its end as well, when it has all its memory: the program is "
	  "traced all the time, as strace(1) does it",
	  INTO(exits),
	  .more = "This also audits processes that live for less than the time between two "
		  "audits, and finds what an error has left in a counter at any time before. A "
		  "program that is traced cannot trace itself, a set-user-ID program has no more "
		  "rights than its caller, and a program that starts many processes or gets many "
		  "signals is slower. --held limits these audits, too: ends that would stop the "
		  "program for longer are reported as not audited (--held=99 for a test suite)." },
	{ "cgroup", OPTION_FLAG, NULL,
	  "give the program a cgroup (v2) of its own below ours, and compare the memory charged "
	  "to it with what its processes map; in a guest of rssck vm it has one anyway. A number "
	  "that is off stops the program for five seconds, until that is certain",
	  INTO(cgroup),
	  .more = "memory.current, memory.swap.current, and anon, file_mapped, shmem, anon_thp, "
		  "kernel_stack and pagetables of memory.stat are compared with "
		  "/proc/kpagecgroup. memory.stat may be late by what the CPUs hold back. A "
		  "number that was off at the last audit and could not be read again is neither "
		  "pass nor fail: the part ends in error, and the exit status is 2. Settings of "
		  "cgroups are left as they are: where the memory controller is not given to "
		  "cgroups below ours (cgroup.subtree_control), and without root's rights, this "
		  "part is skipped and says so. The cgroup is removed at the end; what still runs "
		  "in it goes to ours." },
	{ "wrapper", OPTION_FLAG, NULL,
	  "the command starts the program, as a shell or time(1) does, and is not audited "
	  "itself",
	  INTO(wrapper) },
	{ "no-model", OPTION_FLAG, NULL,
	  "do not measure how the counters count here: then their lag is reported, but not "
	  "judged",
	  INTO(no_model) },
	{ "quiet", OPTION_FLAG, NULL, "no line for each audit, which a terminal gets",
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
	usage_error("run", "which command? Its name follows the options");
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
	    (o.plot && output_check(o.plot, why, sizeof(why))) || host_probe(&h, why, sizeof(why)))
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
	.about = "Again and again all processes and threads of the program are stopped for some "
		 "milliseconds, every source of each is read, and what must hold of any process "
		 "is checked.\n\nWhat the program writes to the file that $RSSCK_MARK names "
		 "requests an audit of that name.",
	.rows = rows,
	.exits = "the command's own (128 + N where signal N killed it) if all holds; 1, or what "
		 "--error-exitcode says, if something is wrong; 4 if nothing could be checked and "
		 "the command succeeded; 2 rssck failed (usage or internal error), or the last "
		 "audit saw something wrong that could not be read again; 126 or 127 the command "
		 "cannot be run, or was not found",
	.words = WORD_PROGRAM,
	.runs_another = true,
};
