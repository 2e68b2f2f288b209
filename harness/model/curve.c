// SPDX-License-Identifier: MIT
/* Builds, copies and thins curves. */
#include "base/memory.h"
#include <rssck/curve.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct curve_axes curve_staircase = { "staircase", "pages touched", "pages" };

static void *resized(void *p, size_t nr, size_t size)
{
	void *more = reallocarray(p, nr ? nr : 1, size);

	if (!more)
		memory_gone("a curve");
	return more;
}

const struct curve *curve_by_name(const struct curve *curves, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(curves[i].name, name))
			return &curves[i];
	return NULL;
}

struct curve *curve_have(struct curve **curves, size_t *nr, const struct curve_axes *axes)
{
	struct curve *c;

	for (size_t i = 0; i < *nr; i++)
		if (!strcmp((*curves)[i].name, axes->name))
			return &(*curves)[i];
	*curves = resized(*curves, *nr + 1, sizeof(**curves));
	c = &(*curves)[(*nr)++];
	*c = (struct curve) { 0 };
	snprintf(c->name, sizeof(c->name), "%s", axes->name);
	snprintf(c->x, sizeof(c->x), "%s", axes->x);
	snprintf(c->y, sizeof(c->y), "%s", axes->y);
	return c;
}

const struct series *curve_series(const struct curve *c, const char *name)
{
	for (size_t i = 0; i < c->nr_series; i++)
		if (!strcmp(c->series[i].name, name))
			return &c->series[i];
	return NULL;
}

bool series_is_bound(const struct series *s)
{
	return !strncmp(s->name, CURVE_BOUND, strlen(CURVE_BOUND));
}

bool series_is_shown(const struct curve *c, const struct series *s)
{
	if (!series_is_bound(s))
		return true;
	for (size_t i = 0; i < c->nr; i++)
		if (s->of[i] != 0 && s->of[i] != CURVE_NO_POINT)
			return true;
	return false;
}

bool series_run_alike(const struct curve *c, const struct series *a, const struct series *b)
{
	return series_is_bound(a) == series_is_bound(b) &&
	       !memcmp(a->of, b->of, c->nr * sizeof(*a->of));
}

static struct series *have_series(struct curve *c, const char *name)
{
	struct series *s = (struct series *)curve_series(c, name);

	if (s)
		return s;
	if (c->nr_series == CURVE_SERIES_MAX)
		return NULL;
	s = &c->series[c->nr_series++];
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->of = resized(NULL, c->nr, sizeof(*s->of));
	for (size_t i = 0; i < c->nr; i++)
		s->of[i] = CURVE_NO_POINT;
	return s;
}

static void insert(int64_t **numbers, size_t nr, size_t at, int64_t number)
{
	*numbers = resized(*numbers, nr + 1, sizeof(**numbers));
	memmove(*numbers + at + 1, *numbers + at, (nr - at) * sizeof(**numbers));
	(*numbers)[at] = number;
}

/*
 * Returns the index of x, which is inserted if missing. The search begins at the end, because most
 * points come in ascending order.
 */
static size_t have_x(struct curve *c, int64_t x)
{
	size_t at = c->nr;

	while (at && c->at[at - 1] >= x)
		at--;
	if (at < c->nr && c->at[at] == x)
		return at;
	for (size_t i = 0; i < c->nr_series; i++)
		insert(&c->series[i].of, c->nr, at, CURVE_NO_POINT);
	insert(&c->at, c->nr, at, x);
	c->nr++;
	return at;
}

void curve_add(struct curve *c, int64_t x, const char *series, int64_t y)
{
	size_t at = have_x(c, x);
	struct series *s = have_series(c, series);

	if (s)
		s->of[at] = y;
}

/* The slopes are fractions, which cross-multiplication compares exactly. */
static bool runs_straight(const struct curve *c, const int64_t *of, size_t before, size_t at)
{
	if (of[before] == CURVE_NO_POINT || of[at] == CURVE_NO_POINT ||
	    of[at + 1] == CURVE_NO_POINT)
		return of[before] == of[at] && of[at] == of[at + 1];
	return (of[at] - of[before]) * (c->at[at + 1] - c->at[at]) ==
	       (of[at + 1] - of[at]) * (c->at[at] - c->at[before]);
}

static bool is_corner(const struct curve *c, size_t before, size_t at)
{
	if (at == 0 || at + 1 == c->nr)
		return true;
	for (size_t i = 0; i < c->nr_series; i++)
		if (!runs_straight(c, c->series[i].of, before, at))
			return true;
	return false;
}

void curve_thin(struct curve *c)
{
	size_t kept = 0;

	for (size_t at = 0; at < c->nr; at++) {
		if (!is_corner(c, kept ? kept - 1 : 0, at))
			continue;
		c->at[kept] = c->at[at];
		for (size_t i = 0; i < c->nr_series; i++)
			c->series[i].of[kept] = c->series[i].of[at];
		kept++;
	}
	c->nr = kept;
}

void curves_move(struct curve **to, size_t *nr_to, struct curve **from, size_t *nr_from)
{
	if (*nr_from) {
		*to = resized(*to, *nr_to + *nr_from, sizeof(**to));
		memcpy(*to + *nr_to, *from, *nr_from * sizeof(**to));
		*nr_to += *nr_from;
	}
	free(*from);
	*from = NULL;
	*nr_from = 0;
}

static int64_t *copied(const int64_t *numbers, size_t nr)
{
	int64_t *copy = resized(NULL, nr, sizeof(*copy));

	if (nr)
		memcpy(copy, numbers, nr * sizeof(*copy));
	return copy;
}

void curves_copy(struct curve **to, size_t *nr_to, const struct curve *from, size_t nr_from)
{
	if (nr_from)
		*to = resized(*to, *nr_to + nr_from, sizeof(**to));
	for (size_t i = 0; i < nr_from; i++) {
		struct curve *c = &(*to)[(*nr_to)++];

		*c = from[i];
		c->at = copied(c->at, c->nr);
		for (size_t k = 0; k < c->nr_series; k++)
			c->series[k].of = copied(c->series[k].of, c->nr);
	}
}

void curves_free(struct curve **curves, size_t *nr)
{
	for (size_t i = 0; i < *nr; i++) {
		struct curve *c = &(*curves)[i];

		free(c->at);
		for (size_t k = 0; k < c->nr_series; k++)
			free(c->series[k].of);
	}
	free(*curves);
	*curves = NULL;
	*nr = 0;
}
