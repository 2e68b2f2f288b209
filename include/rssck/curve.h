// SPDX-License-Identifier: MIT
/*
 * The curve: numbers against a number, such as what each counter says against
 * the pages that have been touched. Plots are drawn from curves; they are
 * recorded beside the verdicts.
 *
 * Between two points each series runs straight. So a staircase of thousands of
 * touches is kept whole by its corners.
 */
#ifndef RSSCK_CURVE_H
#define RSSCK_CURVE_H

#include <stddef.h>
#include <stdint.h>

/* What a curve is called and what its axes show, with the unit: "pages touched". */
struct curve_axes {
	const char *name, *x, *y;
};

/* The series that is right, and what the name of a series begins with that is a model's bound. */
#define CURVE_TRUTH "page tables"
#define CURVE_BOUND "bound of "

/* This series has no point there. */
#define CURVE_NO_POINT INT64_MIN

enum { CURVE_SERIES_MAX = 16 };

struct series {
	char name[48];
	int64_t *of; /* owned: one for each of the curve's points, or CURVE_NO_POINT */
};

struct curve {
	char name[48], x[48], y[48];
	int64_t *at; /* owned: ascending, each once */
	size_t nr;   /* of points */
	struct series series[CURVE_SERIES_MAX];
	size_t nr_series;
};

/* The staircase: each counter while one thread touches one anonymous page after the other. */
extern const struct curve_axes curve_staircase;

/* The curve of that name in the list; the second makes an empty one where there is none. */
const struct curve *curve_by_name(const struct curve *curves, size_t nr, const char *name);
struct curve *curve_have(struct curve **curves, size_t *nr, const struct curve_axes *axes);

/* A series of a curve, or NULL. */
const struct series *curve_series(const struct curve *c, const char *name);

/* One point of one series: x may be anywhere, and be there already for other series. */
void curve_add(struct curve *c, int64_t x, const char *series, int64_t y);

/* Leave out each point at which all series run straight on. */
void curve_thin(struct curve *c);

/* Move all curves of one list to the end of another. */
void curves_move(struct curve **to, size_t *nr_to, struct curve **from, size_t *nr_from);

/* Copies of all curves of one list to the end of another. */
void curves_copy(struct curve **to, size_t *nr_to, const struct curve *from, size_t nr_from);

void curves_free(struct curve **curves, size_t *nr);

#endif
