// SPDX-License-Identifier: MIT
/*
 * A curve: several numbers as functions of one number, such as each counter over the number of
 * touched pages. Curves are recorded with the results, and plots are drawn from them.
 *
 * Each series is linear between two points, so a staircase of thousands of touches needs only its
 * corners.
 */
#ifndef RSSCK_CURVE_H
#define RSSCK_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name of a curve, and the labels of its axes: "pages touched". */
struct curve_axes {
	const char *name, *x, *y;
};

/*
 * CURVE_TRUTH is the series of the true value. The name of a series with a model's bound begins
 * with CURVE_BOUND.
 */
#define CURVE_TRUTH "page tables"
#define CURVE_BOUND "bound of "

/* Value of a series at an x at which it has no point. */
#define CURVE_NO_POINT INT64_MIN

enum { CURVE_SERIES_MAX = 16 };

struct series {
	char name[48];
	int64_t *of; /* owned: one value for each point of the curve, or CURVE_NO_POINT */
};

struct curve {
	char name[48], x[48], y[48];
	int64_t *at; /* owned: x of each point, ascending and without duplicates */
	size_t nr;   /* number of points */
	struct series series[CURVE_SERIES_MAX];
	size_t nr_series;
};

/* Each counter while one thread touches anonymous pages one by one. */
extern const struct curve_axes curve_staircase;

/*
 * curve_by_name() returns the curve with this name in the list, or NULL. curve_have() returns it,
 * too, but first adds an empty curve if the list has none with this name.
 */
const struct curve *curve_by_name(const struct curve *curves, size_t nr, const char *name);
struct curve *curve_have(struct curve **curves, size_t *nr, const struct curve_axes *axes);

/* Returns a series of a curve, or NULL. */
const struct series *curve_series(const struct curve *c, const char *name);

/*
 * For drawing. A bound is not shown if it is 0 or unknown at every point, and of two series that
 * run alike only the first.
 */
bool series_is_bound(const struct series *s);
bool series_is_shown(const struct curve *c, const struct series *s);
bool series_run_alike(const struct curve *c, const struct series *a, const struct series *b);

/*
 * Adds a point to a series, and the series if the curve does not have it. Points may be added in
 * any order of x. If the curve already has CURVE_SERIES_MAX other series, the point is dropped.
 */
void curve_add(struct curve *c, int64_t x, const char *series, int64_t y);

/* Removes the points at which every series continues in a straight line. */
void curve_thin(struct curve *c);

/* Moves the curves of one list to the end of another. */
void curves_move(struct curve **to, size_t *nr_to, struct curve **from, size_t *nr_from);

/* Copies the curves of one list to the end of another. */
void curves_copy(struct curve **to, size_t *nr_to, const struct curve *from, size_t nr_from);

void curves_free(struct curve **curves, size_t *nr);

#endif
