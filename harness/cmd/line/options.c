// SPDX-License-Identifier: MIT
/* getopt_long(3), and better words for what it complains of. */
#include "options.h"
#include "base/nearest.h"
#include "command.h"
#include <stdio.h>
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
	char shorts[32];
	int code;

	snprintf(shorts, sizeof(shorts), ":%s", w->shorts);
	code = getopt_long(argc, argv, shorts, w->options, NULL);
	if (code == -1)
		return -1;
	if (code == '?' || code == ':')
		return complain(w, code, argv);
	if (code != w->repeatable && w->seen[code]) {
		const struct option *o = option_of(w, code);

		usage_error(w->command, "--%s is given twice", o ? o->name : "");
		return OPTION_BAD;
	}
	w->seen[code] = true;
	return code;
}

const char *word_given_twice(char *const *words, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(words[i], words[k]))
				return words[i];
	return NULL;
}
