// SPDX-License-Identifier: MIT
/* Finds the words of a command line that together form one name. */
#include "cmd/explain.h"
#include "cmd/line/options.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void join_words(char *const *words, size_t nr, char *name, size_t size)
{
	size_t len = 0;

	name[0] = '\0';
	for (size_t i = 0; i < nr && len < size; i++)
		len += (size_t)snprintf(name + len, size - len, "%s%s", len ? " " : "", words[i]);
	len = strlen(name);
	for (size_t i = 0; i < len; i++)
		if (isspace((unsigned char)name[i]))
			name[i] = ' ';
		else if (iscntrl((unsigned char)name[i]))
			name[i] = '?';
	while (len && (name[len - 1] == ':' || name[len - 1] == ' '))
		name[--len] = '\0';
}

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

size_t first_name(char *const *words, size_t nr, const struct topics *all)
{
	while (nr && !is_name(words, nr, all))
		nr--;
	return nr;
}

bool are_names(char *const *words, size_t nr, const struct topics *all)
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

/*
 * True for an option of another program, such as --shm-size, and for a negative number; "--jso" is
 * --json, misspelt.
 */
static bool is_foreign(const char *word, const struct command *c)
{
	if (word[0] != '-' || !strcmp(word, "-h"))
		return false;
	if (word[1] != '-' || !isalpha((unsigned char)word[2]))
		return isalnum((unsigned char)word[1]);
	return !options_resemble(c, word);
}

int join_dashes(int argc, char **argv, const struct command *c)
{
	int nr = 1;

	for (int i = 1; i < argc; i++) {
		bool joins = nr > 1 && argv[nr - 1][0] != '-' && is_foreign(argv[i], c);
		char *both;

		/* Not freed, because it is needed until the program ends. */
		if (joins && asprintf(&both, "%s %s", argv[nr - 1], argv[i]) >= 0)
			argv[nr - 1] = both;
		else
			argv[nr++] = argv[i];
	}
	argv[nr] = NULL;
	return nr;
}

/*
 * True for a text that begins with a dash, such as "-/+ buffers/cache: 5816 2166" or "-Xmx4g but
 * RES 6g". An option has no blank before its value.
 */
static bool is_text(const char *word)
{
	if (word[0] != '-' || !word[1] || !strcmp(word, "--"))
		return false;
	return (word[1] != '-' && !isalnum((unsigned char)word[1])) || word[1] == 'X' ||
	       word[strcspn(word, " =")] == ' ';
}

char **mark_text(int *argc, char **argv)
{
	static char **marked; /* needed until the program ends */
	int nr = 0;
	bool any = false;

	marked = calloc((size_t)*argc + 2, sizeof(*marked));
	for (int i = 0; marked && i < *argc; i++) {
		any |= i && !strcmp(argv[i], "--");
		if (i && !any && is_text(argv[i])) {
			any = true;
			marked[nr++] = (char *)"--";
		}
		marked[nr++] = argv[i];
	}
	*argc = nr;
	return marked;
}
