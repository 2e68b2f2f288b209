// SPDX-License-Identifier: MIT
/* rssck list: the cases and what they claim. */
#include "list.h"
#include "base/print/words.h"
#include "coverage.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

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

	printf("%-*s  %s\n", width, case_id(r, id, sizeof(id)), c->claim ? c->claim : "");
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

static int cmd_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "coverage", no_argument, NULL, 'c' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	bool verbose = false, coverage = false;
	int c, status;

	optind = 0;
	while ((c = getopt_long(argc, argv, "vh", options, NULL)) != -1) {
		switch (c) {
		case 'c':
			coverage = true;
			break;
		case 'v':
			verbose = true;
			break;
		case 'h':
			command_help(&command_list, stdout);
			return EXIT_HOLDS;
		default:
			return EXIT_TROUBLE;
		}
	}

	struct selection s;
	char why[320];

	if (select_cases(&s, argv + optind, (size_t)(argc - optind), why, sizeof(why)))
		return usage_error("list", "%s", why);
	status = coverage ? coverage_print(&s, verbose, stdout) : list(&s, verbose);
	selection_free(&s);
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

// clang-format off: a line an option.
const struct command command_list = {
	.name = "list",
	.run = cmd_list,
	.usage = "[--coverage] [--verbose] [CASE...]",
	.help = "list the cases and what they claim",
	.options =
		"  --coverage         for each metric, the cases that check how it moves; exit 1 where\n"
		"                     one has none\n"
		"  --verbose          also why it should be so, and who says it; of the coverage, all cases\n",
};
// clang-format on
