// SPDX-License-Identifier: MIT
/*
 * Finds what a sentence denies: "slab" of "no slab", "heap" of "not in heap". A question about that
 * is not what was asked, even if it has all other words.
 */
#include "question.h"
#include "question_words.h"
#include "sentence.h"
#include <string.h>

/* Words that deny what follows them, beside "no" and "without". */
static const char excludes[] = " excluding except besides minus outside other-than ";

/* Words between a denial and what it denies. */
static const char between[] = " the a an any in from by of my its it is are even all ";

/* Words after "not" that are no subject: "not free", "not used". */
static const char
	states[] = " free memfree freed swap mapped shared locked cached charged used dirty ";

/* Returns the first word after a denial that may be its subject; s->nr if there is none. */
static size_t subject_of(const struct sentence *s, size_t denial)
{
	size_t at = denial + 1;

	while (at < s->nr && word_is_among(s->of[at], between))
		at++;
	return at;
}

/* True if the word at `denial` denies or excludes the thing that the word at `at` names. */
static bool is_denied_thing(const struct sentence *s, size_t denial, size_t at)
{
	const char *word = s->of[at];

	if (word_says_nothing(word) || word_says_little(word))
		return false;
	if (strcmp(s->of[denial], WORD_NOT) != 0)
		return true;
	return s->named[at] && !word_is_among(word, states) && !word_moves(word) &&
	       !word_is_change(word);
}

/* "inside and outside" denies nothing. */
static bool denies_things(const struct sentence *s, const char *word)
{
	return word_denies(word) || (word_is_among(word, excludes) && !sentence_has(s, "inside"));
}

/* True if a title says itself that something is not so, or is left out. */
static bool title_denies(const struct sentence *title)
{
	static const char words[] =
		" nothing off less minus though despite beside beyond outside never 0 disabled ";

	for (size_t i = 0; i < title->nr; i++)
		if (word_denies(title->of[i]) || word_is_among(title->of[i], words))
			return true;
	return false;
}

bool question_denied(const struct question *q, const struct sentence *s)
{
	struct sentence title;

	sentence_split(&title, q->asks);
	if (title_denies(&title) || question_group(q, WORD_NO) >= 0 ||
	    question_group(q, WORD_NOT) >= 0)
		return false;
	for (size_t i = 0; i + 1 < s->nr; i++) {
		size_t at = denies_things(s, s->of[i]) ? subject_of(s, i) : s->nr;

		if (at < s->nr && is_denied_thing(s, i, at) &&
		    (question_title_has(q, s->of[at]) || question_group(q, s->of[at]) >= 0))
			return true;
	}
	return false;
}
