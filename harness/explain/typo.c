// SPDX-License-Identifier: MIT
/*
 * Reads a misspelt word of a sentence as the known word that it differs from by one letter:
 * "proces", "memroy". The known words are those of the questions and those that carry no meaning.
 */
#include "typo.h"
#include "base/nearest.h"
#include "query_private.h"
#include "question.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LETTERS_LEAST = 5, READINGS = 8 };

/* The known words that differ by one letter, and how often each was found. */
struct readings {
	char of[READINGS][WORD_SIZE];
	unsigned seen[READINGS];
	size_t nr;
	bool known; /* the word itself is known */
};

/* True for a word of five letters or more. "rss_kb" and "5.10" are names. */
static bool is_word(const char *word)
{
	size_t len = 0;

	while (isalpha((unsigned char)word[len]))
		len++;
	return len >= LETTERS_LEAST && !word[len];
}

static void meet(struct readings *r, const char *word, const char *other)
{
	size_t i = 0, len = strlen(word), other_len = strlen(other);

	/*
	 * "heaps" is a form of "heap", and "shrink" of "shrinks", but "proces" is not one of "proc"
	 * or "process".
	 */
	r->known |= ((other_len >= LETTERS_LEAST || other_len + 1 >= len) &&
		     word_is_like(word, other, other_len)) ||
		    (word[len - 1] != 's' && word_is_like(other, word, len));
	if (r->known || !is_word(other) || *other != *word || edit_distance(word, other) != 1)
		return;
	while (i < r->nr && strcmp(r->of[i], other))
		i++;
	if (i == READINGS)
		return;
	if (i == r->nr) {
		strcpy(r->of[r->nr++], other);
		r->seen[i] = 0;
	}
	r->seen[i]++;
}

/* Compares the word with each word of a list, such as the groups or the title of a question. */
static void meet_all(struct readings *r, const char *word, const char *list)
{
	static const char between[] = " |?,.:;()\"-";
	size_t len = strlen(word);

	for (const char *p = list + strspn(list, between); *p && !r->known;
	     p += strspn(p, between)) {
		size_t n = strcspn(p, between);
		char other[WORD_SIZE];

		if (n + 1 >= LETTERS_LEAST && n < WORD_SIZE && n + 3 >= len && len + 3 >= n) {
			for (size_t i = 0; i < n; i++)
				other[i] = (char)tolower((unsigned char)p[i]);
			other[n] = '\0';
			meet(r, word, other);
		}
		p += n;
	}
}

/*
 * Returns the known word that was found most often, or NULL if there is none, or two were found
 * equally often.
 */
static const char *best_of(const struct readings *r)
{
	size_t best = 0;
	bool alone = true;

	for (size_t i = 1; i < r->nr; i++) {
		alone = r->seen[i] != r->seen[best] && (alone || r->seen[i] > r->seen[best]);
		best = r->seen[i] > r->seen[best] ? i : best;
	}
	return r->nr && alone ? r->of[best] : NULL;
}

static bool word_is_known(const char *word)
{
	return word_is_ordinary(word) || word_says_nothing(word) || word_says_little(word) ||
	       word_is_turn(word) || word_is_program(word) || word_contrasts(word);
}

static void read_word(struct readings *r, const char *word)
{
	const char *const *lists = sentence_lists();
	size_t nr;
	const struct question *q = questions_all(&nr);

	*r = (struct readings) { .known = word_is_known(word) };
	for (size_t i = 0; lists[i]; i++)
		meet_all(r, word, lists[i]);
	for (size_t i = 0; i < nr && !r->known; i++) {
		meet_all(r, word, q[i].words);
		meet_all(r, word, q[i].with);
		meet_all(r, word, q[i].asks);
	}
}

static int is_name(const struct topics *all, const char *word, bool *is)
{
	struct query q = { .kind = QUERY_NONE };
	int failed = query_find_variant(&q, all, word);

	*is = q.found.nr > 0;
	topics_free(&q.found);
	return failed;
}

int typos_correct(struct sentence *s, const struct topics *all, char *read_as, size_t size)
{
	size_t len = 0;

	read_as[0] = '\0';
	for (size_t i = 0; i < s->nr; i++) {
		struct readings r;
		const char *as;
		bool is;

		if (!is_word(s->of[i]))
			continue;
		read_word(&r, s->of[i]);
		as = r.known ? NULL : best_of(&r);
		if (!as)
			continue;
		if (is_name(all, s->of[i], &is))
			return -1;
		if (is)
			continue;
		strcpy(s->of[i], as);
		if (len < size)
			len += (size_t)snprintf(read_as + len, size - len, "%s%s", len ? ", " : "",
						as);
	}
	return 0;
}
