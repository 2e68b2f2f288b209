// SPDX-License-Identifier: MIT
/* Chooses the sentences of a definition that an answer prints. */
#include "extract.h"
#include "query.h"
#include "question_words.h"
#include "sentence.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Returns the length of the first sentence. A point within brackets ends none. */
static size_t sentence_length(const char *text)
{
	int open = 0;
	size_t at = 0;

	for (; text[at]; at++) {
		open += (text[at] == '(') - (text[at] == ')');
		if (text[at] == '.' && text[at + 1] == ' ' && open <= 0)
			return at + 1;
	}
	return at;
}

/* True for a word that the topic is called, or that another topic of the answer is about. */
static bool is_of_topics(const struct topic *t, const struct query *q, const char *word)
{
	enum { TOGETHER = 2 };

	if (word_is_in_text(word, t->name))
		return true;
	for (size_t i = 0; q->found.nr > TOGETHER && i < q->found.nr; i++)
		if (word_is_in_text(word, q->found.of[i].name))
			return true;
	return false;
}

/* True for "high: slowed down ..." of memory.events. */
static bool is_label(const char *text, const char *word)
{
	size_t len = strlen(word);

	return !strncasecmp(text, word, len) && text[len] == ':';
}

/* True if the first sentence of a text has a word of the query besides the topic's name. */
static bool is_asked_for(const char *text, const struct topic *t, const struct query *q,
			 const struct sentence *s)
{
	char first[1024];

	text += strspn(text, " ");
	snprintf(first, sizeof(first), "%.*s", (int)sentence_length(text), text);
	for (size_t i = 0; i < s->nr; i++)
		if (is_label(first, s->of[i]))
			return true;
	for (size_t i = 0; i < s->nr; i++)
		if (!word_says_nothing(s->of[i]) && !word_is_background(s->of[i]) &&
		    !is_of_topics(t, q, s->of[i]) && word_is_in_text(s->of[i], first))
			return true;
	return false;
}

void extract_sentences(char *text, const struct topic *t, const struct query *q, const char *asked,
		       size_t nr)
{
	char *to = text, *from = text;
	struct sentence s;
	bool any = false;

	sentence_split(&s, asked);
	for (char *p = text + sentence_length(text); *p; p += sentence_length(p))
		any |= is_asked_for(p, t, q, &s);
	for (size_t at = 0; *from; at++) {
		size_t len = sentence_length(from);

		if (at == 0 || (any ? is_asked_for(from, t, q, &s) : at < nr)) {
			memmove(to, from, len);
			to += len;
		}
		from += len;
	}
	*to = '\0';
}
