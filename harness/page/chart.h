// SPDX-License-Identifier: MIT
/* Lines against two axes, drawn as SVG in the page's colours. */
#ifndef RSSCK_CHART_H
#define RSSCK_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Points whose value is CURVE_NO_POINT are left out. */
struct chart_line {
	const int64_t *x, *y;
	size_t nr;
	int64_t base; /* subtracted from each y */
	const char
		*counts; /* the meaning of its colour: "exact", "per-cpu", "per-thread", "truth" */
	bool dashed;
};

/* Both axes contain 0, and extend to these limits, so that charts can be compared. */
struct chart {
	const char *label; /* a description for readers who cannot see it */
	const char *x, *y; /* names of the axes */
	int64_t x_most, y_least, y_most;
};

/* Extends the chart so that the line fits. */
void chart_reach(struct chart *c, const struct chart_line *line);

void chart_put(const struct chart *c, const struct chart_line *lines, size_t nr, FILE *out);

#endif
