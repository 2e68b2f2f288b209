// SPDX-License-Identifier: MIT
/* Draws curves with gnuplot. */
#ifndef RSSCK_PLOT_H
#define RSSCK_PLOT_H

#include <rssck/verdict.h>
#include <stdio.h>

enum plot_format {
	PLOT_TERMINAL,
	PLOT_SVG, /* a file for a browser; its colours follow the reader's light or dark
		   * setting */
	PLOT_PNG,
};

struct plot {
	const char *title;    /* e.g. "6.1: pages touched one by one" */
	const char *subtitle; /* the counter models in words */
	const struct curve *curve;
	long page_size;         /* page size for the y axis, in bytes */
	unsigned width, height; /* in characters on a terminal, otherwise in pixels; 0: a default */
};

/*
 * Draws the plot. Returns 0. If gnuplot is missing or fails, returns -1 with a sentence in `why`
 * that says what to do.
 */
int plot_curves(const struct plot *p, enum plot_format format, FILE *out, char *why, size_t size);

/* Writes the script for gnuplot. */
void plot_script(const struct plot *p, enum plot_format format, FILE *out);

/*
 * Writes gnuplot's SVG as a file whose colours follow the reader's light or dark setting. `svg` is
 * a NUL-terminated string.
 */
void plot_adapt(const char *svg, FILE *out);

/* Writes "Linux 6.1: pages touched one by one" into buf. */
const char *plot_title(const char *kernel, const struct curve *c, char *buf, size_t size);

/*
 * Writes the models of the plotted counters: "stat: per-CPU, batch 32, 2 CPUs; statm, status:
 * exact".
 */
const char *plot_models(const struct models *m, char *buf, size_t size);

#endif
