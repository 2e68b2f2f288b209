// SPDX-License-Identifier: MIT
/* Finds how two numbers are related, in the table relations.def or by following its parts. */
#include "relation.h"
#include "base/list.h"
#include <stdio.h>
#include <string.h>

#define PART(whole, part)
#define DIVIDED(whole, part)
#define RELATION(a, b, sentence)
#define RELATIONS(a, list, sentence)
#define QUANTITY(id, name, topics) QUANTITY_##id,
#define ACTION                     QUANTITY
enum quantity {
#include "relations.def"
	QUANTITY_COUNT,
	QUANTITY_NONE = QUANTITY_COUNT,
};
#undef ACTION
#undef QUANTITY

#define QUANTITY(id, name, topics) [QUANTITY_##id] = { #id, name, topics, false },
#define ACTION(id, name, topics)   [QUANTITY_##id] = { #id, name, topics, true },
static const struct {
	const char *id;
	const char *name;
	const char *topics; /* separated by '|' */
	bool act;
} quantities[] = {
#include "relations.def"
};
#undef ACTION
#undef QUANTITY
#undef RELATION
#undef RELATIONS

#define QUANTITY(id, name, topics)
#define ACTION(id, name, topics)
#define RELATION(a, b, sentence)     { QUANTITY_##a, #b, sentence },
#define RELATIONS(a, list, sentence) { QUANTITY_##a, list, sentence },
static const struct {
	enum quantity a;
	const char *others; /* ids, separated by '|' */
	const char *sentence;
} relations[] = {
#include "relations.def"
};
#undef RELATION
#undef RELATIONS
#undef PART
#undef DIVIDED

#define RELATION(a, b, sentence)
#define RELATIONS(a, list, sentence)
#define PART(whole, part)    { QUANTITY_##whole, QUANTITY_##part, false },
#define DIVIDED(whole, part) { QUANTITY_##whole, QUANTITY_##part, true },
static const struct part {
	enum quantity whole, part;
	bool divided;
} parts[] = {
#include "relations.def"
};
#undef ACTION
#undef QUANTITY
#undef RELATION
#undef RELATIONS
#undef PART
#undef DIVIDED

static const struct {
	const char *a, *b; /* names of topics */
	const char *sentence;
} pairs[] = {
	{ "meminfo.Hugetlb", "HugePages_Total",
	  "Hugetlb is the memory of all hugetlb pools, in kB; HugePages_Total counts pages of the "
	  "default size (Hugepagesize) only." },
	{ "hugetlb", "HugePages_Total",
	  "HugePages_Total is the pool of hugetlb's default page size, in pages; Hugetlb of "
	  "/proc/meminfo is the memory of all pools, in kB." },
};

enum { PARTS = sizeof(parts) / sizeof(*parts) };

/*
 * Returns the name of the metric that a topic shows, or the topic's own name if it is not a metric,
 * or is a sum, a percentage or a rate.
 */
static const char *name_of_number(const struct topic *t)
{
	enum metric_id twin;

	if (t->kind == TOPIC_COLUMN &&
	    (t->column->plus != METRIC_NONE || t->column->shape > COLUMN_BYTES))
		return t->name;
	if (t->kind != TOPIC_METRIC && t->kind != TOPIC_COLUMN)
		return t->name;
	/* smaps_rollup sums up smaps. */
	twin = metric(t->metric)->source == SOURCE_ROLLUP ? metric_twin(t->metric) : METRIC_NONE;
	return metric(twin == METRIC_NONE ? t->metric : twin)->name;
}

static enum quantity quantity_of(const struct topic *t)
{
	const char *name = name_of_number(t);

	for (int q = 0; q < QUANTITY_COUNT; q++)
		if (list_has(quantities[q].topics, "|", name))
			return (enum quantity)q;
	return QUANTITY_NONE;
}

const char *relation_quantity(const struct topic *t)
{
	enum quantity q = quantity_of(t);

	return q == QUANTITY_NONE ? NULL : quantities[q].id;
}

bool relation_has_quantity(const char *id)
{
	for (int q = 0; q < QUANTITY_COUNT; q++)
		if (!strcmp(quantities[q].id, id))
			return true;
	return false;
}

bool relation_is_act(const struct topic *t)
{
	enum quantity q = quantity_of(t);

	return q != QUANTITY_NONE && quantities[q].act;
}

/*
 * Returns the quantity one level above `part` on the way up to `whole`; that may be `whole` itself.
 * Returns QUANTITY_NONE if `whole` does not include `part`.
 */
static enum quantity way_up(enum quantity part, enum quantity whole)
{
	for (size_t i = 0; i < PARTS; i++)
		if (parts[i].part == part && parts[i].whole == whole)
			return whole;
	for (size_t i = 0; i < PARTS; i++)
		if (parts[i].part == part && way_up(parts[i].whole, whole) != QUANTITY_NONE)
			return parts[i].whole;
	return QUANTITY_NONE;
}

static bool put_part(enum quantity part, enum quantity whole, char *buf, size_t size)
{
	enum quantity between = way_up(part, whole);

	if (between == QUANTITY_NONE)
		return false;
	if (between == whole)
		snprintf(buf, size, "%s is a part of %s.", quantities[part].name,
			 quantities[whole].name);
	else
		snprintf(buf, size, "%s is a part of %s, because %s is.", quantities[part].name,
			 quantities[whole].name, quantities[between].name);
	return true;
}

static bool is_within(enum quantity part, enum quantity whole)
{
	return part == whole || way_up(part, whole) != QUANTITY_NONE;
}

/* Returns the part of a divided whole that includes the quantity, or NULL. */
static const struct part *slice_of(enum quantity whole, enum quantity q)
{
	for (size_t i = 0; i < PARTS; i++)
		if (parts[i].divided && parts[i].whole == whole && is_within(q, parts[i].part))
			return &parts[i];
	return NULL;
}

static bool put_apart(enum quantity a, enum quantity b, char *buf, size_t size)
{
	for (int w = 0; w < QUANTITY_COUNT; w++) {
		const struct part *one = slice_of((enum quantity)w, a);
		const struct part *other = slice_of((enum quantity)w, b);

		if (!one || !other || one == other)
			continue;
		snprintf(
			buf, size,
			"Neither includes the other: no page is in both %s and %s, two parts of %s.",
			quantities[one->part].name, quantities[other->part].name,
			quantities[w].name);
		return true;
	}
	return false;
}

/*
 * Writes that both are the same number, and why two readings may differ: a running total may lag
 * behind a walk of the page tables, and field 24 of stat behind other running totals.
 */
static void put_same(const struct topic *a, const struct topic *b, const char *name, char *buf,
		     size_t size)
{
	enum metric_kind one = metric(a->metric)->kind, other = metric(b->metric)->kind;
	const struct topic *lags = one == KIND_COUNTER ? a : b;
	size_t len = (size_t)snprintf(buf, size, "Both are %s, read from two places.", name);

	if (one != other && (one == KIND_COUNTER || other == KIND_COUNTER))
		snprintf(buf + len, size - len,
			 " They may differ: %s is a running total, which may lag; the other is "
			 "counted at each read.",
			 lags->name);
	else if (one == KIND_COUNTER &&
		 (a->metric == METRIC_STAT_RSS) != (b->metric == METRIC_STAT_RSS))
		snprintf(buf + len, size - len,
			 " They may differ: field 24 of stat may lag, and on newer kernels "
			 "(6.6.99, 6.12.39, 6.15.7, 6.16) status and statm do not.");
	else
		snprintf(buf + len, size - len,
			 " They differ only if the process changes between the two readings.");
}

/* Writes that a word of the glossary is the number that a file or a tool shows. */
static bool put_term(const struct topic *a, const struct topic *b, const char *name, char *buf,
		     size_t size)
{
	const struct topic *word = a->kind == TOPIC_WORD ? a : b;
	const struct topic *number = word == a ? b : a;

	if (word->kind != TOPIC_WORD || name_of_number(number) == number->name)
		return false;
	snprintf(buf, size, "They are the same: %s is one of the places where %s is read.",
		 number->name, name);
	return true;
}

static bool is_line_of(const struct topic *t, const char *file)
{
	return t->kind == TOPIC_FIGURE && t->figure->from &&
	       !strncmp(t->figure->from, file, strlen(file));
}

/*
 * Writes that two lines are one number in two units, such as "nr_free_pages" and "MemFree". Returns
 * false for other pairs.
 */
static bool put_same_line(const struct topic *a, const struct topic *b, char *buf, size_t size)
{
	const struct topic *pages = is_line_of(a, "/proc/vmstat") ? a : b;
	const struct topic *kb = pages == a ? b : a;
	const char *name = strchr(kb->name, '.') ? strchr(kb->name, '.') + 1 : kb->name;

	if (!is_line_of(pages, "/proc/vmstat") || !is_line_of(kb, "/proc/meminfo") ||
	    strncmp(pages->name, "vmstat.", 7))
		return false;
	snprintf(buf, size,
		 "Both are one number: %s of /proc/vmstat in pages, %s of /proc/meminfo in kB.",
		 pages->name + 7, name);
	return true;
}

/*
 * Writes the relation of two topics that are one quantity in the tables but two numbers. Returns
 * false for other pairs.
 */
static bool put_pair(const struct topic *a, const struct topic *b, char *buf, size_t size)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		if ((strcmp(pairs[i].a, a->name) || strcmp(pairs[i].b, b->name)) &&
		    (strcmp(pairs[i].a, b->name) || strcmp(pairs[i].b, a->name)))
			continue;
		snprintf(buf, size, "%s", pairs[i].sentence);
		return true;
	}
	return put_same_line(a, b, buf, size);
}

static bool relates(size_t row, enum quantity a, enum quantity other)
{
	return relations[row].a == a && list_has(relations[row].others, "|", quantities[other].id);
}

bool relation_words(const struct topic *a, const struct topic *b, char *buf, size_t size)
{
	enum quantity one = quantity_of(a), other = quantity_of(b);

	buf[0] = '\0';
	if (one == QUANTITY_NONE || other == QUANTITY_NONE)
		return false;
	if (one == other && put_pair(a, b, buf, size))
		return true;
	if (one == other) {
		if (name_of_number(a) == a->name || name_of_number(b) == b->name)
			return put_term(a, b, quantities[one].name, buf, size);
		put_same(a, b, quantities[one].name, buf, size);
		return true;
	}
	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
		if (!relates(i, one, other) && !relates(i, other, one))
			continue;
		snprintf(buf, size, "%s", relations[i].sentence);
		return true;
	}
	return put_part(one, other, buf, size) || put_part(other, one, buf, size) ||
	       put_apart(one, other, buf, size);
}
