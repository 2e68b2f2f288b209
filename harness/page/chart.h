// SPDX-License-Identifier: MIT
/* Lines against two axes, drawn as SVG in the page's colours. */
#ifndef RSSCK_CHART_H
#define RSSCK_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Points that are CURVE_NO_POINT are left out. */
struct chart_line {
	const int64_t *x, *y;
	size_t nr;
	int64_t base;       /* taken from each y */
	const char *counts; /* what its colour says: "exact", "per-cpu", "per-thread", "truth" */
	bool dashed;
};

/* Both axes hold 0 and reach as far as this says, so that charts can be compared. */
struct chart {
	const char *label; /* for those who cannot see it */
	const char *x, *y; /* what the axes show */
	int64_t x_most, y_least, y_most;
};

/* Widen the chart so that the line fits. */
void chart_reach(struct chart *c, const struct chart_line *line);

void chart_put(const struct chart *c, const struct chart_line *lines, size_t nr, FILE *out);

#endif
