// SPDX-License-Identifier: MIT
/* Line charts, drawn as SVG in the page's colours. */
#ifndef RSSCK_CHART_H
#define RSSCK_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Points with the value CURVE_NO_POINT are not drawn. */
struct chart_line {
	const int64_t *x, *y;
	size_t nr;
	int64_t base; /* subtracted from each y value */
	/* Decides the line's colour: how the number is counted, e.g. "per-cpu". */
	const char *counts;
	bool dashed;
};

/* Both axes contain 0 and extend to these limits, so that charts can be compared. */
struct chart {
	const char *label; /* a description for readers who cannot see the chart */
	const char *x, *y; /* the names of the axes */
	int64_t x_most, y_least, y_most;
};

/* Extends the limits of the chart so that the line fits. */
void chart_reach(struct chart *c, const struct chart_line *line);

void chart_put(const struct chart *c, const struct chart_line *lines, size_t nr, FILE *out);

#endif
