// SPDX-License-Identifier: MIT
/*
 * Reads a command line with getopt_long(3). Each error message names the option or word that is
 * wrong.
 */
#include "options.h"
#include "base/nearest.h"
#include "base/print/words.h"
#include <ctype.h>
#include <getopt.h>
#include <string.h>

enum { NAMES_MOST = 32, FIRST_CODE = 256, CODE_BAD = '?', CODE_HELP = 'h' };

/* A command's rows in the form that getopt_long() needs. */
struct walk {
	const struct command *command;
	struct option longs[NAMES_MOST + 1];
	char shorts[NAMES_MOST];
	bool seen[NAMES_MOST];
};

static const struct option *option_of(const struct walk *w, int code)
{
	for (const struct option *o = w->longs; o->name; o++)
		if (o->val == code)
			return o;
	return NULL;
}

static void name_of(const char *word, char *name, size_t size)
{
	word += strspn(word, "-");
	snprintf(name, size, "%.*s", (int)strcspn(word, "="), word);
}

/* Returns the name that is most like this one, or NULL. */
static const char *nearest_of(const struct walk *w, const char *name)
{
	const char *names[NAMES_MOST + 1] = { NULL };
	size_t nr = 0;

	for (const struct option *o = w->longs; o->name; o++)
		names[nr++] = o->name;
	return nearest_word(name, names);
}

static int complain_of_unknown(const struct walk *w, const char *word)
{
	const char *near;
	char name[64];

	name_of(word, name, sizeof(name));
	near = nearest_of(w, name);
	usage_error(w->command->name, "unrecognized option '%s'%s%s", word,
		    near ? "; similar: --" : "", near ? near : "");
	return CODE_BAD;
}

static int complain_of_ambiguous(const struct walk *w, const char *word)
{
	char name[64], list[256] = "";
	size_t len = 0;

	name_of(word, name, sizeof(name));
	for (const struct option *o = w->longs; o->name && len < sizeof(list); o++)
		if (*name && !strncmp(o->name, name, strlen(name)))
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s--%s",
						len ? " or " : "", o->name);
	if (!list[0])
		return complain_of_unknown(w, word);
	usage_error(w->command->name, "'%s' can mean %s; use the full name", word, list);
	return CODE_BAD;
}

static int complain(const struct walk *w, int code, char *const *argv)
{
	const char *command = w->command->name, *word = optind > 0 ? argv[optind - 1] : "";
	const struct option *o = option_of(w, optopt);

	if (code == ':' && o)
		usage_error(command, "--%s takes a value: --%s=...", o->name, o->name);
	else if (o && (optopt >= FIRST_CODE || strchr(word, '=')))
		usage_error(command, "--%s takes no value", o->name);
	else if (optopt)
		usage_error(command, "unrecognized option '-%c'%s", optopt,
			    isdigit((unsigned char)optopt) ? "; after -- it is an argument" : "");
	else
		return complain_of_ambiguous(w, word);
	return CODE_BAD;
}

static int code_of(const struct command *c, const struct option_row *row)
{
	return row->letter ? row->letter : FIRST_CODE + (int)(row - c->rows);
}

static int has_argument(const struct option_row *row)
{
	if (!row->argument)
		return no_argument;
	return row->optional ? optional_argument : required_argument;
}

static void walk_begin(struct walk *w, const struct command *c)
{
	char *shorts = w->shorts;
	size_t nr = 0;

	*w = (struct walk) { .command = c };
	if (c->runs_another)
		*shorts++ = '+';
	*shorts++ = ':';
	*shorts++ = CODE_HELP;
	for (const struct option_row *row = c->rows; row && row->name; row++) {
		const char *const names[] = { row->name, row->also };

		for (size_t i = 0; i < 2 && names[i] && nr < NAMES_MOST - 1; i++)
			w->longs[nr++] = (struct option) { names[i], has_argument(row), NULL,
							   code_of(c, row) };
		if (row->letter)
			*shorts++ = row->letter;
	}
	w->longs[nr] = (struct option) { "help", no_argument, NULL, CODE_HELP };
	/* 0 instead of 1 makes GNU's getopt start again. */
	optind = 0;
	opterr = 0;
}

bool options_resemble(const struct command *c, const char *word)
{
	struct walk w;
	char name[64];

	walk_begin(&w, c);
	name_of(word, name, sizeof(name));
	for (const struct option *o = w.longs; o->name; o++)
		if (!strncmp(o->name, name, strlen(name)))
			return true;
	return nearest_of(&w, name);
}

/* Returns the next option's code, -1 at the end, or CODE_BAD after a usage error. */
static int walk_next(struct walk *w, int argc, char **argv, const struct option_row **row)
{
	const struct command *c = w->command;
	int code = getopt_long(argc, argv, w->shorts, w->longs, NULL);

	if (code == '?' || code == ':')
		return complain(w, code, argv);
	*row = c->rows;
	while (*row && (*row)->name && code_of(c, *row) != code)
		++*row;
	if (code == -1 || code == CODE_HELP)
		return code;
	if (w->seen[*row - c->rows] && !(*row)->repeats) {
		usage_error(c->name, "--%s is given more than once", (*row)->name);
		return CODE_BAD;
	}
	w->seen[*row - c->rows] = true;
	return code;
}

static int take(const char *command, const struct option_row *row, void *options)
{
	void *value = (char *)options + row->at;
	int choice = 0;

	if (row->kind != OPTION_TAKEN && option_choices(row) &&
	    option_choice(command, row->name, optarg, option_choices(row), &choice))
		return -1;
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)value = true;
		return 0;
	case OPTION_WORD:
		*(const char **)value = optarg;
		return 0;
	case OPTION_OUTPUT:
		*(const char **)value = strcmp(optarg, "-") ? optarg : NULL;
		return 0;
	case OPTION_NUMBER:
		return option_number(command, row->name, optarg, row->number, value);
	case OPTION_CHOICE:
		*(int *)value = choice;
		return 0;
	case OPTION_FORMAT:
		*(bool *)value = choice == 1;
		return 0;
	case OPTION_COLOUR:
		*(bool *)value = choice ? choice == 1 : *(bool *)value;
		return 0;
	case OPTION_TAKEN:
		return row->take(options, optarg);
	}
	return -1;
}

int options_read(const struct command *c, void *options, int argc, char **argv)
{
	const struct option_row *row;
	bool help = false;
	struct walk w;
	int code;

	walk_begin(&w, c);
	while ((code = walk_next(&w, argc, argv, &row)) != -1) {
		help |= code == CODE_HELP;
		if (code == CODE_BAD || (code != CODE_HELP && take(c->name, row, options)))
			return -1;
	}
	if (!help)
		return optind;
	command_help(c, stdout);
	return stream_end(stdout) ? trouble("stdout: %m"), -1 : 0;
}

const struct option_row *option_by_name(const struct command *c, const char *name, size_t length)
{
	for (const struct option_row *row = c->rows; row && row->name; row++)
		if (strlen(row->name) == length && !strncmp(row->name, name, length))
			return row;
	return NULL;
}

const char *word_given_twice(char *const *words, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(words[i], words[k]))
				return words[i];
	return NULL;
}
