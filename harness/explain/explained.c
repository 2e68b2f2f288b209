// SPDX-License-Identifier: MIT
/* Decides whether the terms that an answer shows explain each word of the sentence. */
#include "query_private.h"
#include "sentence.h"
#include <string.h>

static const char *text_of(const struct topic *t)
{
	return t->kind == TOPIC_WORD     ? t->word->is
	       : t->kind == TOPIC_FIGURE ? t->figure->is
	       : t->kind == TOPIC_METRIC ? metric(t->metric)->prose
	       : t->kind == TOPIC_COLUMN ? metric(t->metric)->prose
					 : "";
}

static const char *other_names(const struct topic *t)
{
	const char *also = t->kind == TOPIC_WORD     ? t->word->also
			   : t->kind == TOPIC_FIGURE ? t->figure->also
						     : NULL;

	return also ? also : "";
}

static bool topic_has(const struct topic *t, const char *word)
{
	return word_is_in_text(word, text_of(t)) || word_is_in_text(word, t->name) ||
	       word_is_in_text(word, other_names(t));
}

/* "vmstat si so swap": one of the terms is about all of the names. */
static bool one_has_all(const struct topics *found, const struct sentence *s)
{
	for (size_t i = 0; i < found->nr; i++) {
		bool all = true;

		for (size_t k = 0; k < s->nr; k++)
			all &= !s->named[k] || topic_has(&found->of[i], s->of[k]);
		if (all)
			return true;
	}
	return false;
}

static bool is_explained(const struct query *q, const struct sentence *s, size_t at)
{
	const char *word = s->of[at];

	if (q->nearest && question_has(q->nearest, word))
		return true;
	if (word_is_turn(word) || !strcmp(word, WORD_WHO))
		return false;
	if (q->nearest && word_is_in_text(word, q->nearest->answer))
		return true;
	for (size_t i = 0; i < q->found.nr && i < TERMS_SHOWN; i++)
		if (topic_has(&q->found.of[i], word))
			return true;
	return false;
}

bool query_explains(const struct query *q, const struct sentence *s)
{
	if (!q->found.nr || s->cut || (q->nearest && !question_turns(q->nearest, s)))
		return false;
	for (size_t i = 0; i < s->nr; i++)
		if (s->unknown[i] && !(q->nearest && word_says_little(s->of[i])) &&
		    !is_explained(q, s, i))
			return false;
	if (q->unknown[0])
		return q->nearest || q->found.nr == 1;
	return q->found.nr > 1 && one_has_all(&q->found, s);
}
