// SPDX-License-Identifier: MIT
/* rssck explain: what a name means, and how wrong the number can be. */
#include "explain/explain.h"
#include "base/print/words.h"
#include "cmd/line/select.h"
#include "cmd/line/ticker.h"
#include "commands.h"
#include "engine/engine.h"
#include "recorded.h"
#include "scan/process/privilege.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option_code {
	OPTION_THREADS = 256,
	OPTION_PID,
	OPTION_NO_MEASURE,
	OPTION_RESULTS,
	OPTION_LIST,
	OPTION_MANUAL,
};

enum { NAME_SIZE = 128, NEAREST = 3, THREADS_MOST = 1 << 22 };

struct explain_options {
	unsigned threads, pid;
	const char *results;
	bool no_measure, list, manual, help;
};

/* A measurement of this kernel, and what could not be measured. */
struct measured {
	struct engine engine;
	bool done;
	char why[512];
};

static int take(struct explain_options *o, int code)
{
	switch (code) {
	case OPTION_THREADS:
		return option_number("explain", "threads", optarg, THREADS_MOST, &o->threads);
	case OPTION_PID:
		return option_number("explain", "pid", optarg, THREADS_MOST, &o->pid);
	case OPTION_NO_MEASURE:
		o->no_measure = true;
		return 0;
	case OPTION_RESULTS:
		o->results = optarg;
		return 0;
	case OPTION_LIST:
		o->list = true;
		return 0;
	case OPTION_MANUAL:
		o->manual = true;
		return 0;
	case 'h':
		o->help = true;
		return 0;
	default:
		/* getopt_long() has said why. */
		return -1;
	}
}

/* Returns the index of the first word, or -1. */
static int parse(struct explain_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "threads", required_argument, NULL, OPTION_THREADS },
		{ "pid", required_argument, NULL, OPTION_PID },
		{ "no-measure", no_argument, NULL, OPTION_NO_MEASURE },
		{ "results", required_argument, NULL, OPTION_RESULTS },
		{ "list", no_argument, NULL, OPTION_LIST },
		{ "manual", no_argument, NULL, OPTION_MANUAL },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int code;

	*o = (struct explain_options) { .threads = 0 };
	optind = 0;
	while ((code = getopt_long(argc, argv, "h", options, NULL)) != -1)
		if (take(o, code))
			return -1;
	return optind;
}

/* The line of status that begins with `key`, without it, into buf. */
static bool status_line(const char *status, const char *key, char *buf, size_t size)
{
	const char *line = strstr(status, key);

	if (!line)
		return false;
	line += strlen(key);
	line += strspn(line, " \t");
	snprintf(buf, size, "%.*s", (int)strcspn(line, "\n"), line);
	return true;
}

/* How many threads a process has, and what it is called. */
static int look_at_process(const struct explain_options *o, struct explanation *e, char *words,
			   size_t size)
{
	struct text status = { 0 };
	char name[64] = "", threads[32] = "";
	int failed = text_read(&status, (pid_t)o->pid, "status");

	if (!failed) {
		status_line(status.data, "Name:", name, sizeof(name));
		status_line(status.data, "\nThreads:", threads, sizeof(threads));
	}
	text_free(&status);
	e->threads = (unsigned)atoi(threads);
	if (failed && process_exists((pid_t)o->pid))
		return trouble("/proc/%u/status: %s; there is such a process: %s", o->pid,
			       strerror(-failed), privilege_missing());
	if (failed || !e->threads)
		return trouble("/proc/%u/status: %s; is there such a process?", o->pid,
			       failed ? strerror(-failed) : "has no line Threads");
	snprintf(words, size, "%u (%s)", o->pid, name);
	e->process = words;
	return EXIT_HOLDS;
}

static void measure(struct measured *m, struct explanation *e)
{
	struct ticker ticker;

	ticker_open(&ticker);
	ticker_show(&ticker, "measuring how the counters count");
	m->done = !engine_open(&m->engine, NULL, 0, m->why, sizeof(m->why));
	ticker_clear(&ticker);
	ticker_close(&ticker);
	if (m->done)
		e->models = &m->engine.models;
	else
		e->not_measured = m->why;
}

/* Whether the answer depends on how the counters of this kernel count. */
static bool wants_measuring(const struct topics *found)
{
	for (size_t i = 0; i < found->nr; i++) {
		const struct topic *t = &found->of[i];

		if (t->kind == TOPIC_MODEL)
			return true;
		if ((t->kind == TOPIC_METRIC || t->kind == TOPIC_COLUMN) &&
		    metric_counted_as(t->metric) != METRIC_NONE)
			return true;
		if (t->kind == TOPIC_COLUMN && t->column->plus != METRIC_NONE &&
		    metric_counted_as(t->column->plus) != METRIC_NONE)
			return true;
	}
	return false;
}

static unsigned distance(const char *name, const char *other)
{
	char a[NAME_SIZE], b[NAME_SIZE];
	size_t i;

	for (i = 0; name[i] && i < sizeof(a) - 1; i++)
		a[i] = (char)tolower((unsigned char)name[i]);
	a[i] = '\0';
	for (i = 0; other[i] && i < sizeof(b) - 1; i++)
		b[i] = (char)tolower((unsigned char)other[i]);
	b[i] = '\0';
	/* A part of a name is as near as one wrong letter. */
	return strlen(a) > 3 && strstr(b, a) ? 1 : edit_distance(a, b);
}

static unsigned nearness(const char *name, const struct topic *t)
{
	unsigned whole = distance(name, t->name), part = distance(name, topic_short_name(t));

	return part < whole ? part : whole;
}

static int say_nearest(const char *name, const struct topics *all)
{
	const struct topic *taken[NEAREST] = { NULL };
	char words[4 * NAME_SIZE] = "";

	for (size_t k = 0; k < NEAREST; k++) {
		unsigned best = (unsigned)strlen(name) / 2 + 1;

		for (size_t i = 0; i < all->nr; i++) {
			const struct topic *t = &all->of[i];
			bool is_taken = false;

			for (size_t n = 0; n < k; n++)
				is_taken |= t == taken[n];
			if (is_taken || nearness(name, t) >= best)
				continue;
			best = nearness(name, t);
			taken[k] = t;
		}
		if (!taken[k])
			break;
		strcat(words, k ? ", " : "");
		strcat(words, taken[k]->name);
	}
	if (!words[0])
		return usage_error("explain",
				   "nothing is called '%s'; `rssck explain` lists what is", name);
	return usage_error("explain", "nothing is called '%s'; near it: %s", name, words);
}

/* "top RES" in one word or two; a colon at the end, as status has it, is no part of it. */
static void join_words(char **words, char *name, size_t size)
{
	size_t len = 0;

	name[0] = '\0';
	for (; *words && len < size; words++)
		len += (size_t)snprintf(name + len, size - len, "%s%s", len ? " " : "", *words);
	len = strlen(name);
	/* It is said again, perhaps on a terminal. */
	for (size_t i = 0; i < len; i++)
		if (iscntrl((unsigned char)name[i]))
			name[i] = '?';
	while (len && (name[len - 1] == ':' || name[len - 1] == ' '))
		name[--len] = '\0';
}

static int explain_name(const struct explain_options *o, struct explanation *e, const char *name,
			const struct topics *all)
{
	struct topics found;
	struct measured m = { .done = false };
	char process[128];
	int status = EXIT_HOLDS;

	if (topics_find(&found, all, name))
		return trouble("out of memory");
	if (!found.nr)
		status = say_nearest(name, all);
	else if (o->pid)
		status = look_at_process(o, e, process, sizeof(process));
	if (status == EXIT_HOLDS) {
		if (!o->no_measure && wants_measuring(&found))
			measure(&m, e);
		explain_found(e, name, &found);
	}
	if (m.done)
		engine_close(&m.engine);
	topics_free(&found);
	return status;
}

static int list_names(const struct topics *all)
{
	for (size_t i = 0; i < all->nr; i++)
		puts(all->of[i].name);
	return EXIT_HOLDS;
}

static int explain_with(const struct explain_options *o, char **words, const struct topics *all)
{
	struct recorded recorded = { NULL, 0 };
	struct explanation e = {
		.prose = prose_to(stdout),
		.not_measured = "--no-measure was given",
		.threads = o->threads ? o->threads : 1,
		.page_size = sysconf(_SC_PAGESIZE),
	};
	char name[4 * NAME_SIZE];
	int status;

	if (o->list)
		return list_names(all);
	if (!*words && !o->manual) {
		explain_contents(&e.prose, all);
		return EXIT_HOLDS;
	}
	if (recorded_load(&recorded, o->results))
		return EXIT_TROUBLE;
	e.kernels = (struct kernels) { recorded.of, recorded.nr };
	join_words(words, name, sizeof(name));
	status = o->manual
			 ? (explain_manual(&e.kernels, stdout) ? trouble("stdout: %m") : EXIT_HOLDS)
			 : explain_name(o, &e, name, all);
	recorded_free(&recorded);
	return status;
}

static int cmd_explain(int argc, char **argv)
{
	struct explain_options o;
	struct topics all;
	int first = parse(&o, argc, argv), status;

	if (first < 0)
		return EXIT_TROUBLE;
	if (o.help) {
		command_help(&command_explain, stdout);
		return EXIT_HOLDS;
	}
	if (o.pid && o.threads)
		return usage_error("explain", "--pid takes the threads of a process; give it or "
					      "--threads, not both");
	if (topics_all(&all))
		return trouble("out of memory");
	status = explain_with(&o, argv + first, &all);
	topics_free(&all);
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

// clang-format off: a line an option.
const struct command command_explain = {
	.name = "explain",
	.run = cmd_explain,
	.usage = "[OPTION]... [NAME]",
	.help = "say what a metric, a tool's column, a case, a fact or a word is",
	.options =
		"NAME is a metric (status.VmRSS, VmRSS), a column (\"top RES\", RES), a case, a fact, a counter model\n"
		"or a word (USS); without one, all names are listed.\n"
		"\n"
		"  --threads=N        say how wrong the number can be for a process of N threads\n"
		"  --pid=PID          for a process of as many threads as this one has\n"
		"  --no-measure       do not measure how the counters of this kernel count\n"
		"  --results=DIR      recorded runs, to say since when; those that came with rssck otherwise\n"
		"  --list             only the names, one a line\n"
		"  --manual           the manual page rssck-metrics(7), made from the same tables\n",
};
// clang-format on
