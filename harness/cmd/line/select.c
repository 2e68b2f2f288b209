// SPDX-License-Identifier: MIT
/* Selects cases by ids, groups and patterns. */
#include "select.h"
#include "base/nearest.h"
#include "options.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_SIZE = 64, NEAREST = 3 };

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * True if the word means the case: by its id, a pattern, or its group. A group is a folder, with or
 * without a slash at its end.
 */
static bool means(const char *word, const char *id)
{
	size_t len = strlen(word);

	while (len && word[len - 1] == '/')
		len--;
	if (len && !strncmp(word, id, len) && (id[len] == '/' || !strcmp(word, id)))
		return true;
	return strpbrk(word, "*?[") && !fnmatch(word, id, 0);
}

/*
 * The distance between a word and an id, or the last part of an id: "private_write" is close to
 * file/private_write.
 */
static unsigned nearness(const char *word, const char *id)
{
	const char *name = strrchr(id, '/');
	unsigned d = edit_distance(word, id);

	if (name && strstr(name + 1, word))
		return 0;
	return name ? min(d, edit_distance(word, name + 1)) : d;
}

static void name_nearest(const char *word, char *why, size_t size)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);
	char taken[NEAREST][ID_SIZE] = { "" };
	int len = snprintf(why, size, "there is no case '%s'", word);

	for (size_t k = 0; k < NEAREST; k++) {
		unsigned best = (unsigned)strlen(word) / 2 + 2;
		char id[ID_SIZE], best_id[ID_SIZE] = "";

		for (size_t i = 0; i < nr; i++) {
			bool is_taken = false;

			case_id(&all[i], id, sizeof(id));
			for (size_t t = 0; t < k; t++)
				is_taken |= !strcmp(id, taken[t]);
			if (!is_taken && nearness(word, id) < best) {
				best = nearness(word, id);
				strcpy(best_id, id);
			}
		}
		if (!best_id[0] || len < 0 || (size_t)len >= size)
			break;
		strcpy(taken[k], best_id);
		len += snprintf(why + len, size - (size_t)len, "%s%s",
				k ? ", " : "; similar: ", best_id);
	}
	if (!taken[0][0] && len > 0 && (size_t)len < size)
		snprintf(why + len, size - (size_t)len, "; see `rssck list`");
}

static int by_id(const void *a, const void *b)
{
	const struct case_registration *const *x = a, *const *y = b;

	return strcmp((*x)->file, (*y)->file);
}

/* True if the case is selected. Notes in `used` which words have selected it. */
static bool wanted(const struct case_registration *c, char *const *words, size_t nr_words,
		   bool *used)
{
	char id[ID_SIZE];
	bool found = false;

	case_id(c, id, sizeof(id));
	if (!nr_words)
		return !(c->c->flags & CASE_HIDDEN);
	for (size_t i = 0; i < nr_words; i++) {
		if (!means(words[i], id) || (c->c->flags & CASE_HIDDEN && strcmp(words[i], id)))
			continue;
		used[i] = found = true;
	}
	return found;
}

int select_cases(struct selection *s, char *const *words, size_t nr_words, char *why, size_t size)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);
	bool *used = calloc(nr_words + 1, sizeof(*used));

	const char *twice = word_given_twice(words, nr_words);

	*s = (struct selection) { .of = calloc(nr + 1, sizeof(*s->of)) };
	if (twice) {
		snprintf(why, size, "'%s' is given more than once", twice);
		goto fail;
	}
	if (!s->of || !used) {
		snprintf(why, size, "out of memory");
		goto fail;
	}
	for (size_t i = 0; i < nr; i++)
		if (wanted(&all[i], words, nr_words, used))
			s->of[s->nr++] = &all[i];
	for (size_t i = 0; i < nr_words; i++) {
		if (!used[i]) {
			name_nearest(words[i], why, size);
			goto fail;
		}
	}
	if (s->nr)
		qsort(s->of, s->nr, sizeof(*s->of), by_id);
	free(used);
	return 0;
fail:
	free(used);
	selection_free(s);
	return -1;
}

void selection_free(struct selection *s)
{
	free(s->of);
	*s = (struct selection) { 0 };
}
