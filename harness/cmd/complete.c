// SPDX-License-Identifier: MIT
/*
 * Prints the possible next words of a command line, for completion in shells. Each line is "WORD"
 * or "WORD<tab>meaning". For files, folders, users and programs it prints a word like ":files", and
 * the shell completes them itself.
 */
#include "base/process/list.h"
#include "cmd/line/options.h"
#include "commands.h"
#include "explain/topics.h"
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>

static void put(const char *before, const char *word, const char *means)
{
	printf("%s%s%s%s\n", before, word, means ? "\t" : "", means ? means : "");
}

static void put_cases(const char *before)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		char id[64];

		if (!(all[i].c->flags & CASE_HIDDEN))
			put(before, case_id(&all[i], id, sizeof(id)), all[i].c->claim);
	}
}

static void put_commands(const char *before)
{
	for (const struct command *const *c = commands; *c; c++)
		put(before, (*c)->name, (*c)->help);
}

static void put_names(const char *before)
{
	struct topics all;

	if (topics_all(&all))
		return;
	for (size_t i = 0; i < all.nr; i++)
		put(before, all.of[i].name, NULL);
	topics_free(&all);
}

static void put_pids(const char *before)
{
	pid_t *pids;
	size_t nr;

	if (processes_list(&pids, &nr))
		return;
	for (size_t i = 0; i < nr; i++)
		printf("%s%d\n", before, pids[i]);
	free(pids);
}

static void put_words(enum word_kind kind, const char *before)
{
	static const char *const shells[] = { [WORD_FILE] = ":files",
					      [WORD_FOLDER] = ":folders",
					      [WORD_PROGRAM] = ":programs",
					      [WORD_USER] = ":users" };
	static void (*const ours[])(const char *before) = { [WORD_CASE] = put_cases,
							    [WORD_COMMAND] = put_commands,
							    [WORD_NAME] = put_names,
							    [WORD_PID] = put_pids };

	if (kind < sizeof(ours) / sizeof(*ours) && ours[kind])
		ours[kind](before);
	else if (kind < sizeof(shells) / sizeof(*shells) && shells[kind])
		puts(shells[kind]);
}

/*
 * Returns the kind of words that complete the argument, by the argument's name in help, or else
 * row->words.
 */
static enum word_kind kind_of(const struct option_row *row)
{
	static const struct {
		const char *argument;
		enum word_kind kind;
	} kinds[] = {
		{ "FILE", WORD_FILE },  { "IMAGE", WORD_FILE }, { "PATH", WORD_FILE },
		{ "DIR", WORD_FOLDER }, { "PID", WORD_PID },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(row->argument, kinds[i].argument))
			return kinds[i].kind;
	return row->words;
}

static void put_values(const struct option_row *row, const char *before)
{
	const char *const *choice = option_choices(row);

	if (!choice)
		put_words(kind_of(row), before);
	for (; choice && *choice; choice++)
		put(before, *choice, NULL);
}

static void put_options(const struct command *c)
{
	for (const struct option_row *row = c->rows; row && row->name; row++) {
		if (!row->argument || row->optional)
			put("--", row->name, row->help);
		if (row->argument)
			printf("--%s=\t%s\n", row->name, row->help);
	}
	put("--", "help", "print how to use it");
}

/*
 * Returns the row of an option like "--output" if the option's value is the next word, otherwise
 * NULL.
 */
static const struct option_row *row_before(const struct command *c, const char *word)
{
	const struct option_row *row = strncmp(word, "--", 2)
					       ? NULL
					       : option_by_name(c, word + 2, strlen(word + 2));

	return row && row->argument && !row->optional ? row : NULL;
}

static void complete_arguments(const struct command *c, int nr, char **words)
{
	const char *word = words[nr - 1], *equals = strchr(word, '=');
	const struct option_row *row = row_before(c, words[nr - 2]);
	char before[64];

	if (row) {
		put_values(row, "");
	} else if (!strncmp(word, "--", 2) && equals) {
		row = option_by_name(c, word + 2, (size_t)(equals - word - 2));
		snprintf(before, sizeof(before), "%.*s", (int)(equals + 1 - word), word);
		if (row && row->argument)
			put_values(row, before);
	} else if (*word == '-') {
		put_options(c);
	} else {
		put_words(c->words, "");
	}
}

void complete(int nr, char **words)
{
	const struct command *c = nr > 1 ? command_by_name(words[0]) : NULL;

	if (c) {
		complete_arguments(c, nr, words);
	} else if (nr == 1) {
		put_commands("");
		put("--", "help", "print how to use rssck");
		put("--", "version", "print the version");
	}
}
