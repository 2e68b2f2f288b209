// SPDX-License-Identifier: MIT
/* rssck list: prints the cases and their claims. */
#include "list.h"
#include "base/print/fit.h"
#include "base/print/json.h"
#include "base/print/prose.h"
#include "base/print/words.h"
#include "cmd/line/options.h"
#include "lines.h"
#include <string.h>

/* On a narrow terminal each claim is printed below its case, indented by this many columns. */
enum { NARROW = 4 };

static int id_width(const struct selection *s)
{
	size_t width = 0;

	for (size_t i = 0; i < s->nr; i++) {
		char id[64];
		size_t len = strlen(case_id(s->of[i], id, sizeof(id)));

		width = len > width ? len : width;
	}
	return (int)width;
}

static void list_case(const struct case_registration *r, int width, bool verbose)
{
	const struct testcase *c = r->c;
	char id[64];

	/* A pipe gets one line for each case. On a terminal lines are folded. */
	case_id(r, id, sizeof(id));
	if (!terminal_columns(stdout))
		printf("%-*s  %s\n", width, id, c->claim ? c->claim : "");
	else
		prose_hanging(&(struct prose) { .out = stdout, .width = terminal_columns(stdout) },
			      id,
			      terminal_columns(stdout) < 2 * (unsigned)width ? NARROW
									     : (unsigned)width + 2,
			      c->claim ? c->claim : "");
	if (!verbose)
		return;
	if (c->because)
		printf("    because: %s\n", c->because);
	for (size_t i = 0; c->said_by && c->said_by[i]; i++)
		printf("    said by: %s\n", c->said_by[i]);
	for (size_t i = 0; c->needs && c->needs[i]; i++)
		printf("    needs:   %s\n", c->needs[i]);
}

static int list(const struct selection *s, bool verbose)
{
	for (size_t i = 0; i < s->nr; i++)
		list_case(s->of[i], id_width(s), verbose);
	return EXIT_HOLDS;
}

static json_t *words_json(const char *const *words)
{
	json_t *j = json_array();

	for (size_t i = 0; words && words[i]; i++)
		json_array_append_new(j, json_words(words[i]));
	return j;
}

static int list_json(const struct selection *s, bool coverage)
{
	json_t *root = json_object(), *cases = json_array();

	for (size_t i = 0; i < s->nr; i++) {
		const struct testcase *c = s->of[i]->c;
		json_t *j = json_row(cases);
		char id[64];

		json_set_words(j, "id", case_id(s->of[i], id, sizeof(id)));
		json_set_words(j, "claim", c->claim);
		json_set_words(j, "because", c->because);
		json_object_set_new(j, "said_by", words_json(c->said_by));
		json_object_set_new(j, "needs", words_json(c->needs));
	}
	json_set_words(root, "schema", "rssck-list/1");
	json_object_set_new(root, "cases", cases);
	if (coverage)
		json_object_set_new(root, "lines", lines_json());
	return json_write(root, stdout) ? EXIT_TROUBLE : EXIT_HOLDS;
}

struct list_options {
	bool coverage, json, verbose;
};

#define INTO(member) .at = offsetof(struct list_options, member)
static const struct option_row rows[] = {
	{ "coverage", OPTION_FLAG, NULL,
	  "for each metric, and for each line of meminfo, vmstat and memory.stat, print the cases that check how it changes, or the reason why no case does; exit status 1 if a metric or a line has neither. With --json, only the lines are added",
	  INTO(coverage) },
	OPTION_ROW_FORMAT(json),
	OPTION_ROW_JSON(json),
	{ "verbose", OPTION_FLAG, NULL,
	  "also print the reason for each claim, and the documents that state it; with --coverage, print all cases",
	  INTO(verbose), 'v' },
	{ .name = NULL },
};

static int cmd_list(int argc, char **argv)
{
	struct list_options o = { .json = false };
	int first = options_read(&command_list, &o, argc, argv), status;
	struct selection s;
	char why[320];

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	if (select_cases(&s, argv + first, (size_t)(argc - first), why, sizeof(why)))
		return usage_error("list", "%s", why);
	if (o.coverage && !o.json) {
		struct fitted f;

		fitted_begin(&f, stdout);
		status = coverage_print(&s, o.verbose, f.to);
		selection_free(&s);
		return fitted_end(&f) ? trouble("stdout: %m") : status;
	}
	status = o.json ? list_json(&s, o.coverage) : list(&s, o.verbose);
	selection_free(&s);
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

const struct command command_list = {
	.name = "list",
	.run = cmd_list,
	.usage = "[--coverage] [--verbose] [CASE...]",
	.help = "list the cases and their claims",
	.rows = rows,
	.words = WORD_CASE,
};
