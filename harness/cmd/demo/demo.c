// SPDX-License-Identifier: MIT
/* rssck demo: shows a case step by step, with the output of top, ps and pmap after each step. */
#include "demo.h"
#include "base/print/fit.h"
#include "base/print/prose.h"
#include "base/print/style.h"
#include "base/print/ticker.h"
#include "base/print/words.h"
#include "cmd/line/command.h"
#include "cmd/line/options.h"
#include "cmd/line/select.h"
#include "course/lesson.h"
#include "engine/need.h"
#include "engine/workload/guard.h"
#include "judge/judge.h"
#include "plot/plot.h"
#include "runs/release.h"
#include <string.h>
#include <unistd.h>

struct demo {
	const struct demo_options *options;
	const struct case_registration *c;
	const struct selection *cases;
	struct engine engine;
	unsigned nr_steps;
};

static int suggest(void)
{
	size_t nr;
	const struct lesson *lessons = lessons_all(&nr);
	struct prose p = prose_to(stdout);

	prose_text(
		&p, 0,
		"rssck demo --quiz asks which numbers a line of a program will change, runs it on this "
		"kernel, shows the changes, and keeps the score. The lessons, and the cases that "
		"they run:");
	putchar('\n');
	for (size_t i = 0; i < nr; i++) {
		char term[32], text[200];

		snprintf(term, sizeof(term), "  %s", lessons[i].id);
		snprintf(text, sizeof(text), "%s (%s)", lessons[i].title, lessons[i].case_id);
		prose_hanging(&p, term, 14, text);
	}
	putchar('\n');
	prose_text(
		&p, 0,
		"rssck demo --quiz=fork runs one lesson. rssck demo CASE shows a case step by "
		"step: the numbers of /proc, top, ps and pmap after each step, and those of the page "
		"tables. rssck list names all cases. rssck demo --plot draws how the counters "
		"rise.");
	return stream_end(stdout) ? trouble("stdout: %m") : EXIT_HOLDS;
}

static void put_skipped(const struct moment *m)
{
	char text[240];

	snprintf(text, sizeof(text), "This step is not possible here: %s.", m->why_skipped);
	demo_prose(text, 2, stdout);
}

static void put_heading(const struct demo *d, const struct trial *t)
{
	const struct moment *m = &t->moments[t->nr_moments - 1];

	if (m->step)
		printf("\n[%zu/%u] %s\n", m->step - t->c->steps + 1, d->nr_steps, m->name);
	else
		puts(m == t->moments ? "\n[baseline]" : "\n[all unmapped]");
	if (m->skipped)
		put_skipped(m);
}

static void put_vsyscall(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, "[vsyscall]");
	if (f)
		fclose(f);
	if (found)
		demo_prose(
			"pmap's Kbytes is 4 kB more than VIRT because of [vsyscall], a kernel page that "
			"maps lists and VmSize does not count.",
			2, stdout);
}

static bool look(const struct trial *t, const pid_t *pid, void *data)
{
	struct demo *d = data;
	const struct moment *m = &t->moments[t->nr_moments - 1];
	bool alive[WORKLOAD_PROCESSES], more;
	struct fitted table;

	for (unsigned i = 0; i < WORKLOAD_PROCESSES; i++)
		alive[i] = pid[i] != 0;
	put_heading(d, t);
	if (!m->skipped)
		demo_expected(t, m, alive, stdout);
	fitted_begin(&table, stdout);
	demo_table(t, pid, d->options->colour, table.to);
	fitted_end(&table);
	if (m == t->moments)
		put_vsyscall();
	fflush(stdout);
	if (!d->options->wait)
		return true;
	fputs("\n-- Enter or space: continue, q: quit --", stdout);
	fflush(stdout);
	more = demo_key();
	fputs("\r\033[K", stdout);
	return more;
}

static int cannot(const char *why)
{
	char text[400];

	snprintf(text, sizeof(text), "This case cannot run here: %s.", why);
	demo_prose(text, 0, stdout);
	return EXIT_NOTHING;
}

static int say_end(const struct demo *d, const struct trial *t)
{
	struct judgement j = { 0 };
	char id[64], words[160];
	bool failed;

	case_id(d->c, id, sizeof(id));
	switch (t->end) {
	case TRIAL_STOPPED:
		return EXIT_HOLDS;
	case TRIAL_SKIPPED:
		putchar('\n');
		return cannot(t->reason);
	case TRIAL_ERROR:
		return trouble("%s: %s", id, t->reason);
	case TRIAL_FAILED:
	case TRIAL_DONE:
		break;
	}
	if (t->end == TRIAL_DONE)
		judge_trial(t, &j);
	failed = t->end == TRIAL_FAILED || j.failed;
	judgement_free(&j);
	putchar('\n');
	style_begin(failed ? STYLE_BAD : STYLE_GOOD, stdout, d->options->colour);
	fputs(failed ? "The claim does not hold here." : "The claim holds here.", stdout);
	style_end(stdout, d->options->colour);
	putchar('\n');
	demo_prose(t->c->because ? t->c->because : "", 0, stdout);
	snprintf(words, sizeof(words), "`rssck check %s` compares every number%s.", id,
		 failed ? " and shows both numbers" : "");
	putchar('\n');
	demo_prose(words, 0, stdout);
	return failed ? EXIT_FAILS : EXIT_HOLDS;
}

static int show(struct demo *d)
{
	const struct testcase *c = d->c->c;
	struct observer w = { look, d };
	struct missing missing;
	char title[500] = "Linux ", words[320];
	struct trial t;
	int status;

	if (!needs_are_met(&d->engine, c, &missing))
		return cannot(missing_words(&missing, words, sizeof(words)));
	while (c->steps && c->steps[d->nr_steps].name)
		d->nr_steps++;
	printf("%s\n", case_id(d->c, words, sizeof(words)));
	demo_prose(c->claim, 2, stdout);
	release_short(d->engine.host.release, title + strlen(title), sizeof(title) - strlen(title));
	strncat(title, ": ", sizeof(title) - strlen(title) - 1);
	plot_models(&d->engine.models, words, sizeof(words));
	strncat(title, words, sizeof(title) - strlen(title) - 1);
	demo_prose(title, 2, stdout);
	trial_observe(&t, &d->engine, d->c, &w);
	status = say_end(d, &t);
	trial_free(&t);
	if (stream_end(stdout))
		return trouble("stdout: %m");
	return status;
}

/*
 * Draws the curves: the staircase, which the calibration has recorded, and the case's own curve if
 * it has one.
 */
static int plot(struct demo *d)
{
	char kernel[128] = "Linux ";
	struct results r = { 0 };
	struct result one = { 0 };
	int status;

	engine_describe(&d->engine, &r);
	if (d->c) {
		engine_run(&d->engine, d->c, &one);
		curves_move(&r.curves, &r.nr_curves, &one.curves, &one.nr_curves);
	}
	release_short(r.kernel_release, kernel + strlen(kernel), sizeof(kernel) - strlen(kernel));
	status = demo_plot(d->options, &r, kernel);
	result_free(&one);
	results_free(&r);
	return status;
}

static int here(struct demo *d)
{
	struct ticker ticker;
	struct guard guard;
	char why[512];
	int status;

	ticker_open(&ticker);
	ticker_show(&ticker, "measuring the counter models");
	status = engine_open(&d->engine, NULL, 0, why, sizeof(why));
	ticker_close(&ticker);
	if (status)
		return trouble("%s", why);
	guard_start(&guard, &d->engine, guard_folders());
	status = d->options->plot   ? plot(d)
		 : d->options->quiz ? demo_quiz(d->options, &d->engine, NULL)
		 : d->options->json || d->options->page
			 ? demo_json(d->options, &d->engine, d->cases->of, d->cases->nr)
			 : show(d);
	guard_end(&guard);
	engine_close(&d->engine);
	return status;
}

static int take_plot(void *options, const char *file)
{
	const char *end = file ? strrchr(file, '.') : NULL;
	struct demo_options *o = options;

	o->plot = true;
	o->plot_file = file;
	if (!file || (end && (!strcmp(end, ".svg") || !strcmp(end, ".png"))))
		return 0;
	return usage_error("demo", "--plot=FILE takes a .svg or a .png file, not '%s'", file), -1;
}

static int take_quiz(void *options, const char *lesson)
{
	struct demo_options *o = options;

	o->quiz = true;
	o->lesson = lesson;
	if (!lesson || lesson_by_name(lesson))
		return 0;
	return usage_error("demo", "there is no lesson '%s'; see `rssck demo`", lesson), -1;
}

#define INTO(member) .at = offsetof(struct demo_options, member)
static const struct option_row rows[] = {
	{ "no-wait", OPTION_FLAG, NULL, "do not wait for a key (Enter or space: continue, q: quit)",
	  INTO(no_wait),
	  .more = "It also does not wait if standard input or output is not a terminal." },
	{ "plot", OPTION_TAKEN, "FILE",
	  "draw the counters while pages are touched one by one, or the case's own curve, "
	  "on the terminal or to a .svg or .png file",
	  .take = take_plot, .optional = true,
	  .more = "FILE gets only the last curve. gnuplot(1) draws it." },
	{ "quiz", OPTION_TAKEN, "LESSON",
	  "ask which numbers a line will change, run the line, show the result, and keep the score; for all "
	  "lessons, or for one, named by its word or number",
	  .take = take_quiz, .optional = true,
	  .more = "Keys: - lower, = the same, + higher, q: quit." },
	{ "page", OPTION_WORD, "FILE",
	  "write an HTML page with the case's pages and numbers, step by step", INTO(page) },
	{ "format", OPTION_FORMAT, "FORMAT", "text (the default) or json", INTO(json),
	  .more = "The JSON contains the numbers of each file and program after each step, and the "
		  "pages of each process. It takes any number of cases, and does not wait." },
	{ "output", OPTION_OUTPUT, "FILE", "write the JSON to FILE instead of to stdout",
	  INTO(output) },
	{ "kernel", OPTION_WORD, "IMAGE",
	  "run the case on another kernel, in a virtual machine (see rssck vm)", INTO(vm.kernel),
	  .more = "It uses this machine's top, ps and pmap." },
	{ "modules", OPTION_WORD, "DIR", "modules of that kernel", INTO(vm.modules) },
	{ "append", OPTION_WORD, "CMDLINE", "words to add to that kernel's command line",
	  INTO(vm.append) },
	{ "cpus", OPTION_NUMBER, "N", "CPUs of the virtual machine (2)", INTO(vm.cpus),
	  .number = 255 },
	{ "memory", OPTION_NUMBER, "MIB", "memory of the virtual machine (1024)", INTO(vm.memory),
	  .number = 1 << 20 },
	{ "timeout", OPTION_NUMBER, "SECONDS", "time limit of the virtual machine (900)",
	  INTO(vm.timeout), .number = 86400 },
	OPTION_ROW_COLOUR(colour),
	{ .name = NULL },
};

static int parse(struct demo_options *o, int argc, char **argv)
{
	int first;

	*o = (struct demo_options) {
		.vm = { .cpus = 2, .timeout = 900 },
		.colour = style_is_wanted(stdout),
	};
	first = options_read(&command_demo, o, argc, argv);
	o->wait = !o->no_wait && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	return first;
}

static int cmd_demo(int argc, char **argv)
{
	struct demo_options o;
	struct demo d = { .options = &o };
	struct selection s = { 0 };
	int first = parse(&o, argc, argv), status;
	const char *words[QUIZ_CASES];
	size_t nr_words = 0;
	char why[320], id[64];

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	if (o.quiz + o.plot + o.json + (o.page != NULL) > 1)
		return usage_error("demo", "give only one of --quiz, --page, --plot and --format");
	if (o.quiz && first < argc)
		return usage_error("demo", "--quiz takes a lesson, not a case: --quiz=fork");
	if (first == argc && (o.json || o.page))
		return usage_error("demo", "name a case: rssck demo --page=FILE fork/cow");
	if (first == argc && !o.plot && !o.quiz)
		return suggest();
	if (first < argc &&
	    select_cases(&s, argv + first, (size_t)(argc - first), why, sizeof(why)))
		return usage_error("demo", "%s", why);
	if (s.nr > 1 && !o.json) {
		status = usage_error(
			"demo", "it shows one case at a time, not %zu; '%s' is the first of them",
			s.nr, case_id(s.of[0], id, sizeof(id)));
		selection_free(&s);
		return status;
	}
	d.c = s.nr ? s.of[0] : NULL;
	d.cases = &s;
	if (o.quiz)
		nr_words = demo_quiz_cases(o.lesson, words);
	for (int i = first; i < argc && !o.quiz && nr_words < QUIZ_CASES; i++)
		words[nr_words++] = argv[i];
	status = o.vm.kernel ? demo_vm(&o, d.c, words, nr_words) : here(&d);
	selection_free(&s);
	return status;
}

const struct command command_demo = {
	.name = "demo",
	.run = cmd_demo,
	.usage = "[OPTION]... [CASE]",
	.help = "show a case step by step, with the numbers that top, ps and pmap print",
	.about = "After each step the workload waits, and the numbers of /proc, top, ps "
		 "and pmap are printed with those of the page tables. Without a case, it lists the "
		 "lessons of the quiz.",
	.rows = rows,
	.exits = "0 the case holds; 1 the case does not hold here; 2 rssck failed (usage or "
		 "internal error); 4 the case cannot run here",
	.words = WORD_CASE,
};
