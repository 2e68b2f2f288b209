// SPDX-License-Identifier: MIT
/* rssck explain: what a name means, and how wrong the number can be. */
#include "explain/explain.h"
#include "base/print/json.h"
#include "base/print/ticker.h"
#include "base/print/words.h"
#include "cmd/line/options.h"
#include "commands.h"
#include "course/lesson.h"
#include "engine/engine.h"
#include "explain/effect.h"
#include "recorded.h"
#include "runs/release.h"
#include "scan/process/privilege.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 128, NEAREST = 3, THREADS_MOST = 1 << 22, ASKED_SIZE = 4 * NAME_SIZE };

struct explain_options {
	unsigned threads, pid;
	const char *results, *kernel;
	bool no_model, list, manual, json;
};

/* A measurement of this kernel, and what could not be measured. */
struct measured {
	struct engine engine;
	bool done;
	char why[512];
};

#define INTO(member) .at = offsetof(struct explain_options, member)
static const struct option_row rows[] = {
	{ "kernel", OPTION_WORD, "RELEASE",
	  "on that recorded kernel (6.1) instead of the running one", INTO(kernel) },
	{ "threads", OPTION_NUMBER, "N",
	  "say how wrong the number can be for a process of N threads", INTO(threads),
	  .number = THREADS_MOST },
	{ "pid", OPTION_NUMBER, "PID", "for a process of as many threads as this one has",
	  INTO(pid), .number = THREADS_MOST },
	OPTION_ROW_FORMAT(json),
	OPTION_ROW_JSON(json),
	{ "no-model", OPTION_FLAG, NULL,
	  "do not measure how the counters of this kernel count (also: --no-measure)",
	  INTO(no_model), .also = "no-measure" },
	{ "results", OPTION_WORD, "DIR",
	  "recorded runs, to say since when; those that came with rssck otherwise", INTO(results) },
	{ "list", OPTION_FLAG, NULL, "print only the names, one per line", INTO(list) },
	{ "manual", OPTION_FLAG, NULL,
	  "the manual page rssck-metrics(7), made from the same tables", INTO(manual) },
	{ .name = NULL },
};

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

		if (t->kind == TOPIC_MODEL || t->kind == TOPIC_GROUP)
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

static int say_nearest(const char *name, const struct topics *all)
{
	const struct topic *taken[NEAREST] = { NULL };
	char words[4 * NAME_SIZE] = "";

	/* Of a sentence no name is near by its letters. */
	for (size_t k = 0; k < NEAREST && !strchr(name, ' '); k++) {
		unsigned best = (unsigned)(strlen(name) + 2) / 3 + 1;

		for (size_t i = 0; i < all->nr; i++) {
			const struct topic *t = &all->of[i];
			bool is_taken = false;

			for (size_t n = 0; n < k; n++)
				is_taken |= t == taken[n];
			if (is_taken || topic_nearness(t, name) >= best)
				continue;
			best = topic_nearness(t, name);
			taken[k] = t;
		}
		if (!taken[k])
			break;
		strcat(words, k ? ", " : "");
		strcat(words, taken[k]->name);
	}
	if (!words[0])
		return usage_error("explain",
				   "nothing is called '%s'; `rssck explain --list` prints what is",
				   name);
	return usage_error("explain", "nothing is called '%s'; near it: %s", name, words);
}

/* Make a name printable, and drop the colon that /proc/PID/status ends it with.
 */
static void join_words(char *const *words, size_t nr, char *name, size_t size)
{
	size_t len = 0;

	name[0] = '\0';
	for (size_t i = 0; i < nr && len < size; i++)
		len += (size_t)snprintf(name + len, size - len, "%s%s", len ? " " : "", words[i]);
	len = strlen(name);
	for (size_t i = 0; i < len; i++)
		if (iscntrl((unsigned char)name[i]))
			name[i] = '?';
	while (len && (name[len - 1] == ':' || name[len - 1] == ' '))
		name[--len] = '\0';
}

/* Make a name of the words from `words` on, if together they are one. False: they are not. */
static bool is_name(char *const *words, size_t nr, const struct topics *all)
{
	char text[ASKED_SIZE];
	struct query q;
	bool is;

	join_words(words, nr, text, sizeof(text));
	if (query_resolve(&q, all, text))
		return false;
	is = q.kind == QUERY_NAME || q.kind == QUERY_KERNEL;
	query_free(&q);
	return is;
}

/* "top RES PSS" is two names. Returns how many words the first one takes; 0: there is none. */
static size_t first_name(char *const *words, size_t nr, const struct topics *all)
{
	while (nr && !is_name(words, nr, all))
		nr--;
	return nr;
}

static bool are_names(char *const *words, size_t nr, const struct topics *all)
{
	while (nr) {
		size_t taken = first_name(words, nr, all);

		if (!taken)
			return false;
		words += taken;
		nr -= taken;
	}
	return true;
}

/* What all answers of a run share. */
struct asking {
	const struct explain_options *options;
	struct explanation *e;
	const struct topics *all;
	struct measured measured;
	json_t *answers; /* or NULL: they are printed */
	struct grids grids;
	bool grids_taken;
};

/* "MADV_FREE of shmem": answered from the recorded grids. False: it is another question. */
static bool answer_effect(struct asking *a, const char *asked)
{
	struct grid_asked effect;

	if (!a->grids_taken && strchr(asked, ' '))
		grids_recorded(&a->grids, a->options->results);
	a->grids_taken |= strchr(asked, ' ') != NULL;
	if (!a->grids.nr || !grid_asked_read(grids_newest(&a->grids), asked, &effect))
		return false;
	if (a->answers)
		json_array_append_new(a->answers,
				      explain_effect_json(a->e, asked, &a->grids, &effect));
	else
		explain_effect(a->e, &a->grids, &effect);
	return true;
}

/* The lesson about one of the names in a list, which are separated by ", ". */
static const struct lesson *lesson_of_list(const char *list)
{
	const struct lesson *l = NULL;
	char name[NAME_SIZE];

	while (!l && *list) {
		const char *end = strstr(list, ", ");
		size_t length = end ? (size_t)(end - list) : strlen(list);

		snprintf(name, sizeof(name), "%.*s", (int)length, list);
		l = lesson_about(name);
		list = end ? end + 2 : list + length;
	}
	return l;
}

static const struct lesson *lesson_of(const struct query *q)
{
	const struct lesson *l = q->kind == QUERY_QUESTION ? lesson_of_list(q->question->look_up)
							   : NULL;

	for (size_t i = 0; !l && i < q->found.nr; i++) {
		const struct topic *t = &q->found.of[i];

		l = lesson_about(t->kind == TOPIC_COLUMN ? metric(t->metric)->name : t->name);
	}
	return l;
}

static void lead_to_lesson(const struct explanation *e, const struct query *q)
{
	const struct lesson *l = q->kind == QUERY_NEAR ? NULL : lesson_of(q);

	if (l)
		prose_item(&e->prose, "Lesson", "%s: rssck demo --quiz=%s", l->title, l->id);
}

static int answer(struct asking *a, const char *asked)
{
	struct query q;
	int status = EXIT_HOLDS;

	if (answer_effect(a, asked))
		return EXIT_HOLDS;
	if (query_resolve(&q, a->all, asked))
		return trouble("out of memory");
	if (q.kind == QUERY_NONE)
		status = say_nearest(asked, a->all);
	else if (!a->options->no_model && !a->e->release && !a->measured.done &&
		 wants_measuring(&q.found))
		measure(&a->measured, a->e);
	if (status == EXIT_HOLDS && a->answers) {
		json_array_append_new(a->answers, explain_query_json(a->e, asked, &q));
	} else if (status == EXIT_HOLDS) {
		explain_query(a->e, asked, &q);
		lead_to_lesson(a->e, &q);
	}
	/* What was printed is close to the question, but no answer. */
	if (status == EXIT_HOLDS && q.kind == QUERY_NEAR)
		status = EXIT_TROUBLE;
	query_free(&q);
	return status;
}

static int answer_all(struct asking *a, char **words, size_t nr)
{
	bool apart = nr > 1 && are_names(words, nr, a->all);
	int status = EXIT_HOLDS;

	for (size_t at = 0; at < nr && status == EXIT_HOLDS;) {
		size_t taken = apart ? first_name(words + at, nr - at, a->all) : nr;
		char asked[ASKED_SIZE];

		join_words(words + at, taken, asked, sizeof(asked));
		if (at && !a->answers)
			putc('\n', a->e->prose.out);
		status = answer(a, asked);
		at += taken;
	}
	return status;
}

static int answer_in_json(struct asking *a, char **words, size_t nr)
{
	json_t *root = json_object();
	int status;

	a->answers = json_array();
	status = answer_all(a, words, nr);
	json_set_words(root, "schema", "rssck-explain/1");
	if (a->e->release)
		json_set_words(root, "kernel",
			       a->e->run ? a->e->run->kernel_release : a->e->release);
	json_object_set_new(root, "answers", a->answers);
	/* Nothing was answered: the error alone is printed. */
	if (!json_array_size(a->answers)) {
		json_decref(root);
		return status;
	}
	return json_write(root, stdout) ? trouble("stdout: %m") : status;
}

/* --kernel: its recorded run answers, and nothing is measured here. */
static int take_kernel(const struct explain_options *o, struct explanation *e,
		       struct models *models, char *where, size_t size)
{
	char names[512], name[96];

	if (!o->kernel)
		return EXIT_HOLDS;
	if (!isdigit((unsigned char)*o->kernel))
		return usage_error("explain", "'%s' is no kernel; there are %s", o->kernel,
				   kernels_recorded(&e->kernels, names, sizeof(names)));
	e->release = o->kernel;
	e->run = kernel_by_release(&e->kernels, o->kernel);
	if (!e->run && !range_models(&e->kernels, o->kernel, models))
		return usage_error("explain", "no run of a kernel '%s' is recorded; there are %s",
				   o->kernel, kernels_recorded(&e->kernels, names, sizeof(names)));
	if (!e->run) {
		snprintf(where, size, "Linux %.90s", o->kernel);
		e->where = where;
		e->models = models;
		return EXIT_HOLDS;
	}
	snprintf(where, size, "Linux %s",
		 release_short(e->run->kernel_release, name, sizeof(name)));
	e->where = where;
	*models = kernel_models(e->run);
	e->models = models;
	e->page_size = e->run->page_size;
	return EXIT_HOLDS;
}

static int explain_asked(const struct explain_options *o, struct explanation of_all, char **words,
			 const struct topics *all)
{
	struct explanation *e = &of_all;
	struct asking a = { .options = o, .e = e, .all = all };
	char process[128], where[128];
	struct models models;
	size_t nr = 0;
	int status = take_kernel(o, e, &models, where, sizeof(where));

	while (words[nr])
		nr++;
	if (status == EXIT_HOLDS && o->pid)
		status = look_at_process(o, e, process, sizeof(process));
	if (status != EXIT_HOLDS)
		return status;
	status = o->json ? answer_in_json(&a, words, nr) : answer_all(&a, words, nr);
	if (a.measured.done)
		engine_close(&a.measured.engine);
	grids_free(&a.grids);
	return status;
}

static int list_names(const struct topics *all)
{
	for (size_t i = 0; i < all->nr; i++)
		puts(all->of[i].name);
	return EXIT_HOLDS;
}

/* What most people ask, and how to find the rest: one screen. */
static void put_questions(const struct prose *p)
{
	size_t nr;
	const struct lesson *lessons = lessons_all(&nr);

	prose_text(p, 0, "What most people ask, and what answers it:");
	putc('\n', p->out);
	for (size_t i = 0; i < nr; i++) {
		char term[NAME_SIZE];

		snprintf(term, sizeof(term), "  rssck explain %s", lessons[i].look_up);
		prose_hanging(p, term, 34, lessons[i].people_ask);
	}
	putc('\n', p->out);
	prose_text(
		p, 0,
		"A name (RES, top SHR, VmHWM, docker stats, 6.1) or a question in words does as "
		"well; rssck explain --list prints all names. To learn by predicting: rssck demo "
		"--quiz.");
}

static int explain_with(const struct explain_options *o, char **words, const struct topics *all)
{
	struct recordings recorded = { .nr = 0 };
	struct explanation e = {
		.prose = prose_to(stdout),
		.not_measured = "--no-measure was given",
		.threads = o->threads ? o->threads : 1,
		.page_size = sysconf(_SC_PAGESIZE),
	};
	int status;

	if (o->list)
		return list_names(all);
	if (!*words && !o->manual) {
		put_questions(&e.prose);
		return EXIT_HOLDS;
	}
	if (recorded_load(&recorded, o->results))
		return EXIT_TROUBLE;
	e.kernels = (struct kernels) { recorded.of, recorded.nr };
	status = o->manual
			 ? (explain_manual(&e.kernels, stdout) ? trouble("stdout: %m") : EXIT_HOLDS)
			 : explain_asked(o, e, words, all);
	recordings_free(&recorded);
	return status;
}

/* "free -m", "time -v": what follows a name with one dash is part of it. Returns argc. */
static int join_dashes(int argc, char **argv)
{
	int nr = 1;

	for (int i = 1; i < argc; i++) {
		bool joins = nr > 1 && argv[nr - 1][0] != '-' && argv[i][0] == '-' &&
			     isalpha((unsigned char)argv[i][1]) && strcmp(argv[i], "-h");
		char *both;

		/* Kept as long as the program runs. */
		if (joins && asprintf(&both, "%s %s", argv[nr - 1], argv[i]) >= 0)
			argv[nr - 1] = both;
		else
			argv[nr++] = argv[i];
	}
	argv[nr] = NULL;
	return nr;
}

static int cmd_explain(int argc, char **argv)
{
	argc = join_dashes(argc, argv);

	struct explain_options o = { .threads = 0 };
	struct topics all;
	int first = options_read(&command_explain, &o, argc, argv), status;

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	if (o.pid && o.threads)
		return usage_error("explain", "--pid takes the threads of a process; give it or "
					      "--threads, not both");
	if (o.pid && o.kernel)
		return usage_error("explain",
				   "--pid is of this machine, --kernel of another; give one");
	if (o.json && !argv[first])
		return usage_error("explain", "--json wants a NAME");
	if (topics_all(&all))
		return trouble("out of memory");
	status = explain_with(&o, argv + first, &all);
	topics_free(&all);
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

const struct command command_explain = {
	.name = "explain",
	.run = cmd_explain,
	.usage = "[OPTION]... [NAME]...",
	.help = "say whether a number can be believed, and what to read instead",
	.about = "NAME is a metric (status.VmRSS, VmRSS), a tool's column (\"top RES\", RES), a "
		 "program or file (top, /proc/PID/smaps), a number of containers or of the "
		 "machine (docker stats, MemAvailable), a word (USS), a kernel (6.1), a case, a "
		 "fact, a question in words, or what an operation does to a kind of memory "
		 "(\"MADV_FREE of shmem\", from recorded kernels); without one, what most "
		 "people ask.",
	.rows = rows,
	.words = WORD_NAME,
};
