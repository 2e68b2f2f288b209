// SPDX-License-Identifier: MIT
/* getopt_long(3), and better words for what it complains of. */
#include "options.h"
#include "base/nearest.h"
#include "base/print/words.h"
#include <string.h>

enum { NAMES_MOST = 32 };

void options_begin(struct option_walk *w, const char *command, const char *shorts,
		   const struct option *options)
{
	*w = (struct option_walk) { .command = command, .shorts = shorts, .options = options };
	/* Not 1: GNU's getopt begins anew with 0. */
	optind = 0;
	opterr = 0;
}

static const struct option *option_of(const struct option_walk *w, int code)
{
	for (const struct option *o = w->options; o->name; o++)
		if (o->val == code)
			return o;
	return NULL;
}

/* "--formta=json": the part that is a name. */
static void name_of(const char *word, char *name, size_t size)
{
	word += strspn(word, "-");
	snprintf(name, size, "%.*s", (int)strcspn(word, "="), word);
}

static int complain_of_unknown(const struct option_walk *w, const char *word)
{
	const char *names[NAMES_MOST + 1] = { NULL }, *near;
	char name[64];
	size_t nr = 0;

	for (const struct option *o = w->options; o->name && nr < NAMES_MOST; o++)
		names[nr++] = o->name;
	name_of(word, name, sizeof(name));
	near = nearest_word(name, names);
	if (near)
		usage_error(w->command, "unrecognized option '%s'; near it: --%s", word, near);
	else
		usage_error(w->command, "unrecognized option '%s'", word);
	return OPTION_BAD;
}

/* A prefix of several. */
static int complain_of_ambiguous(const struct option_walk *w, const char *word)
{
	char name[64], list[256] = "";
	size_t len = 0;

	name_of(word, name, sizeof(name));
	for (const struct option *o = w->options; o->name && len < sizeof(list); o++)
		if (*name && !strncmp(o->name, name, strlen(name)))
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s--%s",
						len ? " or " : "", o->name);
	if (!list[0])
		return complain_of_unknown(w, word);
	usage_error(w->command, "'%s' may be %s; say which", word, list);
	return OPTION_BAD;
}

static int complain(const struct option_walk *w, int code, char *const *argv)
{
	const struct option *o = option_of(w, optopt);
	const char *word = optind > 0 ? argv[optind - 1] : "";

	if (code == ':' && o)
		usage_error(w->command, "--%s takes a value: --%s=...", o->name, o->name);
	else if (o && optopt >= 256)
		usage_error(w->command, "--%s takes no value", o->name);
	else if (o && strchr(word, '='))
		usage_error(w->command, "--%s takes no value", o->name);
	else if (optopt)
		usage_error(w->command, "unrecognized option '-%c'", optopt);
	else
		return complain_of_ambiguous(w, word);
	return OPTION_BAD;
}

int option_next(struct option_walk *w, int argc, char **argv)
{
	bool ordered = *w->shorts == '+';
	char shorts[32];
	int code;

	snprintf(shorts, sizeof(shorts), "%s:%s", ordered ? "+" : "", w->shorts + ordered);
	code = getopt_long(argc, argv, shorts, w->options, NULL);
	if (code == -1)
		return -1;
	if (code == '?' || code == ':')
		return complain(w, code, argv);
	if (!w->repeats[code] && w->seen[code]) {
		const struct option *o = option_of(w, code);

		usage_error(w->command, "--%s is given twice", o ? o->name : "");
		return OPTION_BAD;
	}
	w->seen[code] = true;
	return code;
}

static bool is_same(const struct option_row *a, const struct option_row *b)
{
	return a->kind == b->kind && a->at == b->at && a->take == b->take && a->number == b->number;
}

static int code_of(const struct option_row *rows, const struct option_row *row)
{
	const struct option_row *first = rows;

	while (!is_same(first, row))
		first++;
	return first->letter ? first->letter : 256 + (int)(first - rows);
}

static int has_argument(const struct option_row *row)
{
	if (row->kind == OPTION_FLAG || row->kind == OPTION_VALUE)
		return no_argument;
	return row->optional ? optional_argument : required_argument;
}

static int take_colour(const char *command, bool *colour)
{
	static const char *const words[] = { "auto", "always", "never", NULL };
	int choice = 0, failed = option_choice(command, "color", optarg, words, &choice);

	*colour = choice ? choice == 1 : *colour;
	return failed;
}

static int take_format(const char *command, bool *json)
{
	static const char *const words[] = { "text", "json", NULL };
	int choice = 0, failed = option_choice(command, "format", optarg, words, &choice);

	*json = choice == 1;
	return failed;
}

static int take(const char *command, const struct option_row *row, void *options)
{
	void *value = (char *)options + row->at;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)value = true;
		return 0;
	case OPTION_VALUE:
		*(int *)value = (int)row->number;
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
		return option_choice(command, row->name, optarg, row->choices, value);
	case OPTION_FORMAT:
		return take_format(command, value);
	case OPTION_COLOUR:
		return take_colour(command, value);
	case OPTION_TAKEN:
		return row->take(options, optarg);
	}
	return -1;
}

/* What getopt_long() wants of the rows. */
static void walk_rows(struct option_walk *w, const struct option_row *rows, struct option *longs,
		      char *shorts)
{
	for (const struct option_row *row = rows; row->name && longs < w->options + NAMES_MOST;
	     row++, longs++) {
		*longs = (struct option) { row->name, has_argument(row), NULL, code_of(rows, row) };
		w->repeats[longs->val] = row->repeats;
		if (row->letter)
			*shorts++ = row->letter;
	}
	*longs = (struct option) { "help", no_argument, NULL, 'h' };
	*shorts = 'h';
}

int options_read(const struct command *c, const struct option_row *rows, void *options, int argc,
		 char **argv)
{
	struct option longs[NAMES_MOST + 2] = { { 0 } };
	char shorts[NAMES_MOST + 3] = "";
	struct option_walk w;
	int code;

	options_begin(&w, c->name, shorts, longs);
	shorts[0] = c->runs_another ? '+' : '\0';
	walk_rows(&w, rows, longs, shorts + c->runs_another);
	while ((code = option_next(&w, argc, argv)) != -1) {
		const struct option_row *row = rows;

		while (row->name && code_of(rows, row) != code)
			row++;
		/* option_next() has said why; --help has no row. */
		if (code == OPTION_BAD || (row->name && take(c->name, row, options)))
			return -1;
	}
	if (!w.seen['h'])
		return optind;
	command_help(c, stdout);
	return stream_end(stdout) ? trouble("stdout: %m"), -1 : 0;
}

const char *word_given_twice(char *const *words, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(words[i], words[k]))
				return words[i];
	return NULL;
}
