// SPDX-License-Identifier: MIT
/* Finds the topic whose name differs from a misspelt one by a letter or two. */
#include "base/list.h"
#include "base/nearest.h"
#include "query_private.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static unsigned distance(const char *name, const char *other)
{
	char a[TEXT_SIZE], b[TEXT_SIZE];
	size_t i;

	for (i = 0; name[i] && i < sizeof(a) - 1; i++)
		a[i] = (char)tolower((unsigned char)name[i]);
	a[i] = '\0';
	for (i = 0; other[i] && i < sizeof(b) - 1; i++)
		b[i] = (char)tolower((unsigned char)other[i]);
	b[i] = '\0';
	return edit_distance(a, b);
}

unsigned topic_nearness(const struct topic *t, const char *name)
{
	unsigned whole = distance(name, t->name), part = distance(name, topic_short_name(t));
	const char *also = topic_also(t);
	char one[TEXT_SIZE];

	whole = part < whole ? part : whole;
	while (list_next(&also, "|", one, sizeof(one))) {
		part = distance(name, one);
		whole = part < whole ? part : whole;
	}
	return whole;
}

/*
 * Returns how many letters may be wrong: none in a name of up to 4 letters, one in a name of up to
 * 6, otherwise two.
 */
static unsigned slips_for(const char *name)
{
	size_t len = strlen(name);

	return len < 5 ? 0 : len < 7 ? 1 : 2;
}

/*
 * True if both names have the same parts, except for a few wrong letters. Parts are separated by
 * '.', '_', '/', '-' and blanks, and the first letter of each must be right: "memory.min" is not
 * "memory.max", and "memory.zswap.current" is not "memory.swap.current".
 */
static bool parts_alike(const char *name, const char *other)
{
	static const char breaks[] = "._ /-";

	for (;;) {
		size_t a = strcspn(name, breaks), b = strcspn(other, breaks);
		char one[TEXT_SIZE], two[TEXT_SIZE];

		copy_text(one, name, a);
		copy_text(two, other, b);
		if (tolower((unsigned char)*one) != tolower((unsigned char)*two) ||
		    distance(one, two) > slips_for(one))
			return false;
		if (!name[a] || !other[b])
			return name[a] == other[b];
		name += a + 1;
		other += b + 1;
	}
}

/* True if one of a topic's names has the same parts as the text (parts_alike()). */
static bool is_spelled_alike(const struct topic *t, const char *text)
{
	const char *also = topic_also(t);
	char one[TEXT_SIZE];

	if (parts_alike(text, t->name) || parts_alike(text, topic_short_name(t)))
		return true;
	while (list_next(&also, "|", one, sizeof(one)))
		if (parts_alike(text, one))
			return true;
	return false;
}

bool query_may_mean(const struct topic *t, const char *text)
{
	if (t->kind == TOPIC_MODEL || t->kind == TOPIC_FACT || t->kind == TOPIC_CASE)
		return !strcasecmp(t->name, text);
	/* rssck's own names of metrics: for a user "mmap" is a system call. */
	if (t->kind == TOPIC_METRIC && metric(t->metric)->source >= SOURCE_PAGEMAP &&
	    metric(t->metric)->source <= SOURCE_FRAMES)
		return !strcasecmp(t->name, text);
	/* A monitor's "Virtual Memory" is not meant by "virtual_memory". */
	return t->kind != TOPIC_COLUMN || !strchr(t->column->name, ' ') || strchr(text, ' ');
}

const struct topic *query_nearest(const struct topics *all, const char *text, bool in_sentence)
{
	unsigned best = slips_for(text) + 1;
	const struct topic *nearest = NULL;

	for (size_t i = 0; i < all->nr; i++) {
		const struct topic *t = &all->of[i];
		bool is_ours = t->kind == TOPIC_MODEL || t->kind == TOPIC_FACT ||
			       t->kind == TOPIC_CASE;
		unsigned d = topic_nearness(t, text);

		if (d >= best || (in_sentence && !query_may_mean(t, text)))
			continue;
		/*
		 * For a case, a fact or a model, slips are counted over the whole name:
		 * "file/private_wirte".
		 */
		if (is_ours ? distance(text, t->name) > d : !is_spelled_alike(t, text))
			continue;
		best = d;
		nearest = t;
	}
	return nearest;
}

int query_find_near(struct query *q, const struct topics *all, const char *text, bool in_sentence)
{
	const struct topic *nearest = query_nearest(all, text, in_sentence);

	if (!nearest)
		return 0;
	snprintf(q->taken_for, sizeof(q->taken_for), "%s", nearest->name);
	q->kind = QUERY_SPELLING;
	return topics_find(&q->found, all, nearest->name);
}
