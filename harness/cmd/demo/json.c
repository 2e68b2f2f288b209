// SPDX-License-Identifier: MIT
/* rssck demo --format=json: writes the record of some cases, from which the course is made. */
#include "base/print/words.h"
#include "base/process/program.h"
#include "cmd/line/sink.h"
#include "course/course.h"
#include "demo.h"
#include "engine/need.h"
#include "grid/grid.h"
#include "judge/judge.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool look(const struct trial *t, const pid_t *pid, void *of_case)
{
	record_look(of_case, t, pid);
	return true;
}

static const char *end_of(const struct trial *t)
{
	struct judgement j = { 0 };
	bool failed;

	switch (t->end) {
	case TRIAL_DONE:
		break;
	case TRIAL_FAILED:
		return "fails";
	case TRIAL_SKIPPED:
		return "skipped";
	default:
		return "error";
	}
	judge_trial(t, &j);
	failed = j.failed;
	judgement_free(&j);
	return failed ? "fails" : "holds";
}

static bool shows_grid(const json_t *of_case)
{
	const struct lesson *l = lesson_of_case(json_string_value(json_object_get(of_case, "id")));

	return l && l->view == VIEW_GRID;
}

static const char *listed(const struct record_word *words, char *list, size_t size)
{
	list[0] = '\0';
	for (; words->name; words++)
		snprintf(list + strlen(list), size - strlen(list), "%s%s", *list ? "," : "",
			 words->name);
	return list;
}

/* Runs rssck atlas --grid with the course's kinds and acts, and adds the result to the record. */
static void add_grid(json_t *record, const struct engine *e)
{
	char kinds[512] = "--kinds=", acts[512] = "--acts=", why[512] = "out of memory";
	char *file = NULL, *output = NULL, *text = NULL;
	struct grid *g = calloc(1, sizeof(*g));

	listed(record_kinds, kinds + strlen(kinds), sizeof(kinds) - strlen(kinds));
	listed(record_acts, acts + strlen(acts), sizeof(acts) - strlen(acts));
	if (asprintf(&file, "%s/grid-%d.json", e->directory, getpid()) < 0)
		file = NULL;
	if (file && asprintf(&output, "--output=%s", file) < 0)
		output = NULL;
	if (output)
		text = program_ask((char *const[]) { (char *)"/proc/self/exe", (char *)"atlas",
						     (char *)"--grid", kinds, acts, output, NULL },
				   why, sizeof(why));
	if (g && text && !grid_load(g, file, why, sizeof(why)))
		record_add_grid(record, g);
	else
		fprintf(stderr, "rssck demo: no grid: %s\n", why);
	if (file)
		unlink(file);
	free(text);
	free(output);
	free(file);
	free(g);
}

void demo_record(json_t *record, const struct engine *e, const struct case_registration *c)
{
	json_t *of_case = record_add_case(record, c);
	struct observer o = { look, of_case };
	struct missing missing;
	char words[320];
	struct trial t;

	if (!needs_are_met(e, c->c, &missing)) {
		record_end(of_case, "skipped", missing_words(&missing, words, sizeof(words)));
		return;
	}
	trial_observe(&t, e, c, &o);
	if (shows_grid(of_case))
		add_grid(record, e);
	record_end(of_case, end_of(&t), t.reason);
	trial_free(&t);
}

/* Writes each step on a line, so that a diff of two records is easy to read. */
static void put_case(const json_t *of_case, FILE *out)
{
	const json_t *steps = json_object_get(of_case, "steps"), *step, *value;
	const char *name;
	size_t i;

	putc('{', out);
	json_object_foreach((json_t *)of_case, name, value)
	{
		if (value == steps)
			continue;
		fprintf(out, "\"%s\":", name);
		json_dumpf(value, out, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY);
		putc(',', out);
	}
	fputs("\"steps\":[", out);
	json_array_foreach(steps, i, step)
	{
		fputs(i ? ",\n" : "\n", out);
		json_dumpf(step, out, JSON_COMPACT | JSON_ENSURE_ASCII);
	}
	fputs("]}", out);
}

static int put_record(const json_t *record, FILE *out)
{
	const json_t *of_case, *grid = json_object_get(record, "grid");
	size_t i;

	fputs("{\"schema\":\"rssck-demo/1\",\n\"kernel\":", out);
	json_dumpf(json_object_get(record, "kernel"), out, JSON_COMPACT | JSON_ENSURE_ASCII);
	fputs(",\n\"columns\":", out);
	json_dumpf(json_object_get(record, "columns"), out, JSON_COMPACT);
	if (grid) {
		fputs(",\n\"grid\":", out);
		json_dumpf(grid, out, JSON_COMPACT);
	}
	fputs(",\n\"cases\":[", out);
	json_array_foreach(json_object_get(record, "cases"), i, of_case)
	{
		fputs(i ? ",\n" : "\n", out);
		put_case(of_case, out);
	}
	fputs("]}\n", out);
	return stream_end(out);
}

int demo_page(const struct demo_options *o, json_t *record, const struct case_registration *c)
{
	const char *path = strcmp(o->page, "-") ? o->page : NULL;
	struct sink sink;
	char why[512];

	if (sink_open(&sink, path, why, sizeof(why)) ||
	    sink_close(&sink, course_case_page(record, c, sink.out), why, sizeof(why)))
		return trouble("%s", why);
	return EXIT_HOLDS;
}

int demo_json(const struct demo_options *o, const struct engine *e,
	      const struct case_registration *const *cases, size_t nr)
{
	json_t *record = record_begin(e);
	struct sink sink;
	char why[512];
	int status = EXIT_HOLDS;

	for (size_t i = 0; i < nr; i++)
		demo_record(record, e, cases[i]);
	if (o->page)
		status = demo_page(o, record, cases[0]);
	else if (sink_open(&sink, o->output, why, sizeof(why)) ||
		 sink_close(&sink, put_record(record, sink.out), why, sizeof(why)))
		status = trouble("%s", why);
	json_decref(record);
	return status;
}
