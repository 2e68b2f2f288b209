// SPDX-License-Identifier: MIT
/* Curves drawn by gnuplot. */
#ifndef RSSCK_PLOT_H
#define RSSCK_PLOT_H

#include <rssck/verdict.h>
#include <stdio.h>

enum plot_format {
	PLOT_TERMINAL, /* characters */
	PLOT_SVG,      /* a file for a browser: light or dark, as the reader's settings say */
	PLOT_PNG,
};

struct plot {
	const char *title;    /* "6.1: pages touched one by one" */
	const char *subtitle; /* the model in words */
	const struct curve *curve;
	long page_size;         /* page size of the y axis, in bytes */
	unsigned width, height; /* in characters on a terminal, otherwise in pixels; 0: a default */
};

/*
 * Draws the plot. Returns 0, or -1 with a sentence in `why` that names the remedy if
 * gnuplot is missing or fails.
 */
int plot_curves(const struct plot *p, enum plot_format format, FILE *out, char *why, size_t size);

/* Writes the script for gnuplot. */
void plot_script(const struct plot *p, enum plot_format format, FILE *out);

/* Adapts gnuplot's SVG to its place. `svg` ends with a NUL. */
void plot_adapt(const char *svg, FILE *out);

/* Writes "Linux 6.1: what counters say while pages are touched one by one" into buf. */
const char *plot_title(const char *kernel, const struct curve *c, char *buf, size_t size);

/* "stat: per-CPU, batch 32, 2 CPUs; statm, status: exact": the models of the plotted counters. */
const char *plot_models(const struct models *m, char *buf, size_t size);

#endif
