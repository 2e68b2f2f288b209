// SPDX-License-Identifier: MIT
/* Looks up words in the groups and the title of a question, and how they compare. */
#include "question_words.h"
#include "question.h"
#include "sentence.h"
#include "stem.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool word_is_in_text(const char *word, const char *text)
{
	static const char between[] = " ,.:;()\"?|/'";

	for (const char *p = text + strspn(text, between); *p; p += strspn(p, between)) {
		size_t len = strcspn(p, between);
		char lower[WORD_SIZE];

		snprintf(lower, sizeof(lower), "%.*s", (int)len, p);
		for (char *c = lower; *c; c++)
			*c = (char)tolower((unsigned char)*c);
		if (word_is_like(word, lower, strlen(lower)) ||
		    word_is_like(lower, word, strlen(word)))
			return true;
		p += len;
	}
	return false;
}

bool word_is_of_group(const char *word, const char *group, size_t len)
{
	for (const char *p = group; p < group + len;) {
		size_t n = strcspn(p, "| ");

		if (n == 1 && *p == '#' ? word_is_amount(word) : word_is_like(word, p, n))
			return true;
		p += n + 1;
	}
	return false;
}

int question_group(const struct question *q, const char *word)
{
	int group = 0;

	for (const char *p = q->words; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (*p != '-' && word_is_of_group(word, p, len))
			return group;
		group++;
		p += len;
	}
	return -1;
}

static bool text_says(const char *text, size_t len, const struct stems *stems)
{
	const char *end = text + len;
	char stem[STEM_SIZE];

	while (text < end && stem_next(&text, stem) && text <= end)
		if (stems_have(stems, stem))
			return true;
	return false;
}

bool question_says(const struct question *q, const char *word)
{
	const char *texts[] = { q->asks, q->with, q->answer };
	struct stems stems;

	stems_of_word(&stems, word);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (text_says(texts[i], strlen(texts[i]), &stems))
			return true;
	for (const char *p = q->words; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (*p == '*' || (*p != '-' && text_says(p, len, &stems)))
			return true;
		p += len;
	}
	return question_group(q, word) >= 0 || word_is_of_group(word, q->with, strlen(q->with));
}

bool question_title_has(const struct question *q, const char *word)
{
	struct sentence title;

	sentence_split(&title, q->asks);
	for (size_t i = 0; i < title.nr; i++)
		if (!strcmp(title.of[i], word))
			return true;
	return false;
}

/*
 * Returns which comparing words a list has: bit 0 "larger", bit 1 "smaller", bit 2 "differ" or
 * "than".
 */
static unsigned list_contrasts(const char *list)
{
	static const char between[] = " |?,.";
	unsigned has = 0;

	for (const char *p = list; *p; p += strspn(p, between)) {
		size_t len = strcspn(p, *p == '-' ? " " : between);
		char one[WORD_SIZE];

		/*
		 * A group like "-than|limit" is read as one word, which compares nothing, because
		 * its words must not occur.
		 */
		snprintf(one, sizeof(one), "%.*s", (int)len, p);
		has |= (unsigned)(word_size(one) > 0) | (unsigned)(word_size(one) < 0) << 1 |
		       (unsigned)word_contrasts(one) << 2;
		p += len;
	}
	return has;
}

int question_sizes(const struct question *q)
{
	unsigned has = list_contrasts(q->words) & 3;

	return has == 1 ? 1 : has == 2 ? -1 : 0;
}

bool question_contrasts(const struct question *q)
{
	return strstr(q->words, " *") || list_contrasts(q->words) || list_contrasts(q->asks) ||
	       word_is_of_group("than", q->with, strlen(q->with));
}

bool question_title_contrasts(const struct question *q)
{
	return list_contrasts(q->asks) || question_title_has(q, "though");
}

/*
 * True for one side of "mlock vs mlockall" if the question takes the two for one thing, and says
 * nothing about this one.
 */
static bool is_lost_side(const struct question *q, const struct sentence *s, size_t at)
{
	const char *word = s->of[at];
	bool first = at + 2 < s->nr && word_compares(s->of[at + 1]);
	bool second = at > 1 && word_compares(s->of[at - 1]);
	const char *other = first ? s->of[at + 2] : second ? s->of[at - 2] : NULL;
	int group = question_group(q, word);

	/* A side of several words, "memory.stat rss", has a name of its own. */
	if (s->named[at] && ((at && s->named[at - 1] == s->named[at]) ||
			     (at + 1 < s->nr && s->named[at + 1] == s->named[at])))
		return false;
	return other && strcmp(other, word) != 0 && group >= 0 &&
	       question_group(q, other) == group && !word_is_in_text(word, q->asks) &&
	       !word_is_in_text(word, q->answer);
}

bool question_loses_side(const struct question *q, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (is_lost_side(q, s, i))
			return true;
	return false;
}
