// SPDX-License-Identifier: MIT
/*
 * Finds which of two numbers a sentence and a question call the larger one. A sentence that says
 * "free + buff/cache less than available" is not answered by a question about why available is
 * smaller.
 */
#include "question.h"
#include "question_words.h"
#include "sentence.h"
#include <string.h>

enum { NOWHERE = -1, NEAR_THAN = 3 };

/* How a sentence compares two numbers. */
struct comparison {
	int sign; /* 1: the number before `at` is larger; -1: it is smaller; 0: nothing is compared
		   */
	size_t at;
	size_t than; /* the other number begins after this word */
};

/* Finds a comparison like "A is larger than B", "A exceeds B" or "A above B". */
static struct comparison comparison_of(const struct sentence *s)
{
	struct comparison c = { .sign = 0 };

	for (size_t i = 1; i + 1 < s->nr && !c.sign; i++) {
		if (strcmp(s->of[i], "than"))
			continue;
		for (size_t k = i; k-- && k + NEAR_THAN >= i && !c.sign;)
			c = (struct comparison) { word_size(s->of[k]), k, i };
	}
	for (size_t i = 1; i + 1 < s->nr && !c.sign; i++)
		if (word_is_between_sizes(s->of[i]))
			c = (struct comparison) { word_size(s->of[i]), i, i };
	return c;
}

/*
 * Returns the question's group that has a word of s->of[first, last); if several words have one,
 * that of the last word. NOWHERE: there is none.
 */
static int group_in(const struct question *q, const struct sentence *s, size_t first, size_t last)
{
	for (size_t i = last; i-- > first;) {
		int group = word_size(s->of[i]) ? NOWHERE : question_group(q, s->of[i]);

		if (group != NOWHERE)
			return group;
	}
	return NOWHERE;
}

/* True for a title like "Why is A larger or smaller than B?", which fits both directions. */
static bool title_offers_both(const struct sentence *title)
{
	bool larger = false, smaller = false, either = false;

	for (size_t i = 0; i < title->nr; i++) {
		larger |= word_size(title->of[i]) > 0;
		smaller |= word_size(title->of[i]) < 0;
		either |= !strcmp(title->of[i], "or");
	}
	return larger && smaller && either;
}

/*
 * Returns 1 if the title says that its first number is larger, -1 if it says smaller, otherwise 0.
 * Sets *group to that number's group.
 */
static int title_sign(const struct question *q, int *group)
{
	struct sentence title;

	sentence_split(&title, q->asks);
	if (title_offers_both(&title))
		return 0;
	for (size_t i = 1; i < title.nr; i++) {
		if (!word_size(title.of[i]))
			continue;
		*group = group_in(q, &title, 0, i);
		return *group == NOWHERE ? 0 : word_size(title.of[i]);
	}
	*group = 0;
	return question_sizes(q);
}

/* Returns the groups of the question, one a bit, that have a word of s->of[first, last). */
static unsigned long groups_in(const struct question *q, const struct sentence *s, size_t first,
			       size_t last)
{
	unsigned long groups = 0;

	for (size_t i = first; i < last; i++) {
		int group = word_size(s->of[i]) ? NOWHERE : question_group(q, s->of[i]);

		if (group != NOWHERE)
			groups |= 1UL << group;
	}
	return groups;
}

static bool is_bit_of(int group, unsigned long one, unsigned long other)
{
	return group != NOWHERE && (one >> group & 1) && !(other >> group & 1);
}

/* True if `left` is on the right side of the title alone, and `right` on its left side alone. */
static bool title_is_reversed(const struct question *q, int left, int right)
{
	struct sentence title;
	struct comparison c;
	unsigned long before, after;

	sentence_split(&title, q->asks);
	c = comparison_of(&title);
	if (!c.sign)
		return false;
	before = groups_in(q, &title, 0, c.at);
	after = groups_in(q, &title, c.than + 1, title.nr);
	return is_bit_of(left, after, before) && is_bit_of(right, before, after);
}

bool question_compares(const struct question *q, const struct sentence *s)
{
	struct comparison c = comparison_of(s);
	int left, right, group = NOWHERE, sign;

	if (!c.sign)
		return true;
	left = group_in(q, s, 0, c.at);
	right = group_in(q, s, c.than + 1, s->nr);
	sign = title_sign(q, &group);
	if (!sign)
		return !strcmp(s->of[c.than], "than") ? question_contrasts(q) : true;
	if (left == right)
		return true;
	if (title_is_reversed(q, left, right))
		return c.sign == -sign;
	if (left == group)
		return c.sign == sign;
	return right != group || c.sign == -sign;
}
