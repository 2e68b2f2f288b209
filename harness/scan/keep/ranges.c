// SPDX-License-Identifier: MIT
/* Keeps a set of numbers as ranges. */
#include "ranges.h"
#include "base/memory.h"
#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void unite(struct ranges *r)
{
	size_t nr = 0;

	if (r->nr)
		qsort(r->of, r->nr, sizeof(*r->of), by_start);
	for (size_t i = 0; i < r->nr; i++) {
		struct range *last = nr ? &r->of[nr - 1] : NULL;

		if (!last || r->of[i].start > last->end)
			r->of[nr++] = r->of[i];
		else if (r->of[i].end > last->end)
			last->end = r->of[i].end;
	}
	r->nr = nr;
}

/* Many processes map the same pages, so uniting the ranges often makes room. */
static void make_room(struct ranges *r)
{
	unite(r);
	if (r->nr < r->room / 2)
		return;
	r->room = r->room ? 2 * r->room : 16;
	r->of = reallocarray(r->of, r->room, sizeof(*r->of));
	if (!r->of)
		memory_gone("a set of pages");
}

void ranges_add(struct ranges *r, uint64_t start, uint64_t end)
{
	struct range *last = r->nr ? &r->of[r->nr - 1] : NULL;

	if (start >= end)
		return;
	if (last && last->end == start) {
		last->end = end;
		return;
	}
	if (r->nr == r->room)
		make_room(r);
	r->of[r->nr++] = (struct range) { start, end };
}

uint64_t ranges_count_within(struct ranges *r, uint64_t start, uint64_t end)
{
	uint64_t n = 0;

	unite(r);
	for (size_t i = 0; i < r->nr; i++) {
		uint64_t from = r->of[i].start > start ? r->of[i].start : start,
			 to = r->of[i].end < end ? r->of[i].end : end;

		n += from < to ? to - from : 0;
	}
	return n;
}

uint64_t ranges_count(struct ranges *r)
{
	return ranges_count_within(r, 0, UINT64_MAX);
}

static int around(const void *number, const void *range)
{
	uint64_t n = *(const uint64_t *)number;
	const struct range *r = range;

	return n < r->start ? -1 : n >= r->end;
}

bool ranges_has(const struct ranges *r, uint64_t number)
{
	return r->nr && bsearch(&number, r->of, r->nr, sizeof(*r->of), around);
}

void ranges_free(struct ranges *r)
{
	free(r->of);
	*r = (struct ranges) { .nr = 0 };
}
