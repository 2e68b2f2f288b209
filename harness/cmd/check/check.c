// SPDX-License-Identifier: MIT
/* rssck check: runs the cases and reports their results. */
#include "check.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/process/inherited.h"
#include "cmd/line/options.h"
#include "cmd/list/list.h"
#include "engine/workload/guard.h"
#include "outlive.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* git bisect interprets status 2 as "bad", so an error of rssck must be "cannot tell". */
static int failure_status(const struct check_options *o)
{
	return o->bisect ? EXIT_CANNOT_TELL : EXIT_TROUBLE;
}

static int run_into(struct check *c, int fd)
{
	const struct check_options *o = c->options;
	bool colour = check_wants_colour(o);

	if (o->format == FORMAT_TEXT && !o->quiet && !c->is_brief)
		return check_text(c, fd, colour);

	int own = dup(fd);
	FILE *out = own < 0 ? NULL : fdopen(own, "w");

	if (!out)
		return -1;

	int failed = check_plain(c, out, colour);
	int number = errno;

	if (fclose(out) && !failed)
		return -1;
	errno = number;
	return failed;
}

static int run_and_write(struct check *c)
{
	const struct check_options *o = c->options;
	char why[512] = "";

	if (run_into(c, c->out))
		snprintf(why, sizeof(why), "%s: %s", o->output ? o->output : "stdout",
			 strerror(errno));
	else if (o->output)
		check_copy_out(c, why, sizeof(why));
	ticker_clear(&c->ticker);
	return why[0] ? trouble("%s", why), -1 : 0;
}

static int run_selection(struct check *c, struct guard *guard, struct outlived *outlived)
{
	const struct check_options *o = c->options;
	char why[512];

	ticker_show(&c->ticker, "measuring the counter models");
	if (engine_open(c->engine, o->directory, o->limit_s, why, sizeof(why))) {
		ticker_clear(&c->ticker);
		return trouble("%s", why), failure_status(o);
	}
	c->engine->steps = outlived ? &outlived->steps : NULL;
	ticker_clear(&c->ticker);
	guard_remove_stale_cgroups(guard_cgroups());
	guard_start(guard, c->engine, guard_folders());
	if (run_begin(&c->results, c->engine, c->selection->nr))
		return trouble("out of memory"), failure_status(o);
	journal_start(&c->journal, &c->results);
	if (run_and_write(c))
		return failure_status(o);
	return check_status(c->results.count, c->differences != 0, o->bisect);
}

struct run {
	struct check *check;
	struct outlived *outlived; /* NULL: there is no parent that survives this process */
};

/* Frees the child's copy of the parent's list, for leak checkers. */
static void free_copy(struct selection s)
{
	selection_free(&s);
}

static int run(void *data)
{
	const struct run *r = data;
	static struct engine engine = {
		.log = -1, .copy = -1
	}; /* static, because a small stack has no room for it */
	struct guard guard = { .alive = -1 };
	struct check *c = r->check;
	int status;

	c->engine = &engine;
	status = run_selection(c, &guard, r->outlived);
	if (c->journal.number)
		trouble("%s: the journal is cut off: %s", c->options->journal,
			strerror(c->journal.number));
	results_free(&c->results);
	guard_end(&guard);
	engine_close(&engine);
	if (r->outlived)
		free_copy(*c->selection);
	return status;
}

/*
 * Returns the seconds without a step after which the run counts as hung. A step may not take that
 * long, even with the tools that read the workload.
 */
static unsigned quiet_limit(const struct check *c)
{
	enum { STEP_S = 30, TOOLS_S = 300 };
	unsigned most = c->options->limit_s ? c->options->limit_s : STEP_S;

	for (size_t i = 0; i < c->selection->nr; i++)
		if (c->selection->of[i]->c->limit_s > most)
			most = c->selection->of[i]->c->limit_s;
	return 2 * most + TOOLS_S;
}

/* Runs the cases in a child, or in this process if no child can be started. */
static int run_outlived(struct check *c)
{
	struct outlived *o = journal_keep(&c->journal) ? outlived_new() : NULL;
	struct run r = { c, o };
	int status;

	if (!o || !outlive(o, quiet_limit(c), run, &r))
		return outlived_free(o), r.outlived = NULL, run(&r);
	if (o->finished) {
		status = o->status;
		outlived_free(o);
		return status;
	}
	/* Clears the progress line that the child left on the terminal. */
	c->ticker.shown = c->ticker.fd >= 0;
	ticker_clear(&c->ticker);
	/* The reader of the output has closed it. */
	if (o->signal == SIGPIPE && signal(SIGPIPE, SIG_DFL) != SIG_ERR)
		raise(SIGPIPE);
	status = check_report_early(c, o->why, !o->signal);
	outlived_free(o);
	return status;
}

/* True for brief text, which is printed on a terminal without --output, --verbose or --quiet. */
static bool is_looked_at(const struct check_options *o)
{
	return o->format == FORMAT_TEXT && !o->output && !o->verbose && !o->quiet &&
	       isatty(STDOUT_FILENO);
}

/*
 * Uses a temporary file if memfd_create(2) fails, because a container's seccomp filter may forbid
 * it.
 */
static int file_of_our_own(void)
{
	const char *folder = getenv("TMPDIR");
	int fd = memfd_create("rssck-output", MFD_CLOEXEC);

	if (fd < 0 && folder)
		fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return fd;
}

static int check_selection(const struct check_options *o, const struct selection *s)
{
	struct check c = {
		.options = o, .selection = s, .out = STDOUT_FILENO, .is_brief = is_looked_at(o)
	};
	const char *refused = outlive_refused();
	char why[512];
	int status;

	if (refused)
		return trouble("%s: %m", refused), failure_status(o);
	/* With --quiet or --bisect the exit status is enough, so stdout may be closed. */
	if (inherited_stdout_is_closed() && !o->output && !o->quiet && !o->bisect)
		return trouble("stdout is closed; write the results to a file with --output=FILE"),
		       failure_status(o);
	if (o->output && output_check(o->output, why, sizeof(why)))
		return trouble("%s", why), failure_status(o);
	if (o->output && (c.out = file_of_our_own()) < 0)
		return trouble("cannot make a temporary file for the results: %m"),
		       failure_status(o);
	if (journal_open(&c.journal, o->journal, why, sizeof(why)))
		return trouble("%s", why), failure_status(o);
	memory_prepare();
	ticker_open(&c.ticker);
	status = run_outlived(&c);
	journal_close(&c.journal);
	if (o->output)
		close(c.out);
	ticker_close(&c.ticker);
	return status;
}

static const char *const colours[] = { "auto", "always", "never", NULL };

#define INTO(member) .at = offsetof(struct check_options, member)
static const struct option_row rows[] = {
	{ "format", OPTION_CHOICE, "FORMAT", "text (the default), ktap, junit or json",
	  INTO(format), .choices = option_formats },
	{ "output", OPTION_OUTPUT, "FILE",
	  "write the output to FILE instead of to stdout; FILE gets the complete "
	  "output, or stays as it was",
	  INTO(output),
	  .more = "If the run crashes, hangs or is ended by a signal (SIGTERM, SIGINT, SIGHUP), "
		  "FILE contains all results so far, says that it is incomplete, and names the "
		  "case that was running. The exit status is then 1 if a case had failed, and 2 "
		  "otherwise." },
	{ "repeat", OPTION_NUMBER, "N",
	  "run N times; a verdict or fact that differs between runs fails", INTO(repeat),
	  .number = INT_MAX },
	{ "bisect", OPTION_FLAG, NULL, "for `git bisect run`: exit 0 good, 1 bad, 125 cannot tell",
	  INTO(bisect) },
	{ "list", OPTION_FLAG, NULL, "list the cases instead of running them", INTO(list) },
	{ "directory", OPTION_WORD, "DIR",
	  "folder for the cases' files (not on "
	  "tmpfs)",
	  INTO(directory) },
	{ "journal", OPTION_WORD, "FILE", "write results to FILE after each case, as JSON lines",
	  INTO(journal),
	  .more = "When a case begins or ends, one line with a JSON object is written, so that a crash of the "
		  "machine loses no result. A pipe is named /proc/self/fd/N." },
	{ "limit", OPTION_NUMBER, "SECONDS", "time limit of one step of a case (also: --timeout)",
	  INTO(limit_s), .number = INT_MAX, .also = "timeout" },
	{ "color", OPTION_CHOICE, "WHEN", "auto (the default), always or never", INTO(colour),
	  .choices = colours, .also = "colour",
	  .more = "auto means colour on a terminal, unless NO_COLOR is set." },
	{ "verbose", OPTION_FLAG, NULL,
	  "print each case, and each difference even if it is within its bound", INTO(verbose),
	  'v' },
	{ "quiet", OPTION_FLAG, NULL, "print only failures and errors", INTO(quiet), 'q' },
	{ .name = NULL },
};

int check_options_parse(struct check_options *o, int argc, char **argv)
{
	*o = (struct check_options) { .repeat = 1 };
	return options_read(&command_check, o, argc, argv);
}

static int list_instead(const struct check_options *o, char **words)
{
	size_t nr = 0;

	while (words[nr])
		nr++;

	char *argv[nr + 4];
	size_t at = 0;

	argv[at++] = (char[]) { "rssck list" };
	if (o->verbose)
		argv[at++] = (char *)"--verbose";
	argv[at++] = (char[]) { "--" };
	for (size_t i = 0; i <= nr; i++)
		argv[at + i] = words[i];
	return command_list.run((int)(at + nr), argv);
}

static int cmd_check(int argc, char **argv)
{
	struct check_options o;
	struct selection s;
	char why[320];
	int first = check_options_parse(&o, argc, argv);
	int status;

	if (first < 0)
		return failure_status(&o);
	if (first == 0)
		return EXIT_HOLDS;
	if (o.list)
		return list_instead(&o, argv + first);
	if (select_cases(&s, argv + first, (size_t)(argc - first), why, sizeof(why)))
		return usage_error("check", "%s", why), failure_status(&o);
	status = check_selection(&o, &s);
	selection_free(&s);
	return status;
}

const struct command command_check = {
	.name = "check",
	.run = cmd_check,
	.usage = "[OPTION]... [CASE...]",
	.help = "check the metrics of the running kernel",
	.about = "CASE is an id (file/private_write), a group (file) or a pattern ('*/fork*'); "
		 "without one, all cases run.",
	.rows = rows,
	.exits = "0 all cases that could run hold, 1 a case fails, 2 rssck failed (usage or "
		 "internal error), 4 nothing could run",
	.words = WORD_CASE,
};
