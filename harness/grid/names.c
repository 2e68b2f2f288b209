// SPDX-License-Identifier: MIT
#include "names.h"
#include "base/list.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct name {
	enum grid_word is;
	const char *word, *what, *also;
} names[] = {
#define GRID_KIND(word, what, also) { GRID_IS_KIND, word, what, also },
#define GRID_ACT(word, what, also)  { GRID_IS_ACT, word, what, also },
#include "names.def"
};

enum { NAMES = sizeof(names) / sizeof(*names), ASKED_MAX = 200 };

static const char middle[] = " middle";

static const struct name *name_of(enum grid_word is, const char *word, size_t length)
{
	for (size_t i = 0; i < NAMES; i++)
		if (names[i].is == is && strlen(names[i].word) == length &&
		    !strncmp(names[i].word, word, length))
			return &names[i];
	return NULL;
}

static size_t length_of_whole(const char *word)
{
	size_t length = strlen(word), part = sizeof(middle) - 1;

	return length > part && !strcmp(word + length - part, middle) ? length - part : length;
}

bool grid_has_name(enum grid_word is, const char *word)
{
	return name_of(is, word, length_of_whole(word)) != NULL;
}

const char *grid_what(enum grid_word is, const char *word, char buf[GRID_WHAT])
{
	const struct name *n = name_of(is, word, length_of_whole(word));

	snprintf(buf, GRID_WHAT, "%s%s", n ? n->what : word,
		 n && word[length_of_whole(word)] ? " of a part in the middle" : "");
	return buf;
}

static bool find_word(const char (*words)[GRID_NAME], unsigned nr, enum grid_word is,
		      const char *text, char word[GRID_NAME])
{
	for (unsigned i = 0; i < nr; i++) {
		const struct name *n = name_of(is, words[i], strlen(words[i]));

		if (strcasecmp(words[i], text) != 0 &&
		    !(n && list_has_in_any_case(n->also, "|", text)))
			continue;
		memcpy(word, words[i], GRID_NAME);
		return true;
	}
	return false;
}

/* Finds an act by one of its names; "MADV_FREE of a part" is the word "free middle". */
static bool find_act(const struct grid *g, char *text, char word[GRID_NAME])
{
	static const char part[] = " of a part";
	size_t length = strlen(text);
	char whole[GRID_NAME], longer[2 * GRID_NAME];

	if (length < sizeof(part) || strcasecmp(text + length - sizeof(part) + 1, part) != 0)
		return find_word(g->acts, g->nr_acts, GRID_IS_ACT, text, word);
	text[length - sizeof(part) + 1] = '\0';
	if (!find_word(g->acts, g->nr_acts, GRID_IS_ACT, text, whole))
		return false;
	snprintf(longer, sizeof(longer), "%s%s", whole, middle);
	return find_word(g->acts, g->nr_acts, GRID_IS_ACT, longer, word);
}

static void skip_begin(char *text, const char *begin)
{
	if (!strncasecmp(text, begin, strlen(begin)))
		memmove(text, text + strlen(begin), strlen(text + strlen(begin)) + 1);
}

/*
 * Removes blanks, '?' and '.' at the end, and words at the beginning that are only part of the
 * phrasing, e.g. "what does".
 */
static void trim(char *text)
{
	size_t length = strlen(text);

	while (length &&
	       (isspace((unsigned char)text[length - 1]) || strchr("?.", text[length - 1])))
		text[--length] = '\0';
	skip_begin(text, "what does ");
	skip_begin(text, "does ");
	skip_begin(text, "what do ");
	skip_begin(text, "a ");
	skip_begin(text, "the ");
}

bool grid_asked_read(const struct grid *g, const char *text, bool verbs, struct grid_asked *a)
{
	static const char *const phrases[] = { " does to ", " do to ", " of ", " on ",
					       " to ",      " in ",    NULL };
	static const char *const asks[] = { " free ",   " reduce ", " lower ", " change ",
					    " affect ", " split ",  " drop ",  " copy ",
					    " move ",   NULL };
	char act[ASKED_MAX], kind[ASKED_MAX];

	for (const char *const *between = verbs ? asks : phrases; *between; between++)
		for (const char *p = strcasestr(text, *between); p;
		     p = strcasestr(p + 1, *between)) {
			snprintf(act, sizeof(act), "%.*s", (int)(p - text), text);
			snprintf(kind, sizeof(kind), "%s", p + strlen(*between));
			trim(act);
			trim(kind);
			if (find_act(g, act, a->act) &&
			    find_word(g->kinds, g->nr_kinds, GRID_IS_KIND, kind, a->kind))
				return true;
		}
	return false;
}
