// SPDX-License-Identifier: MIT
/* Fits tables and sentences to the width of a terminal. */
#ifndef RSSCK_FIT_H
#define RSSCK_FIT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Writes text in lines of at most `width` columns. Consecutive lines with gaps form a table: gaps
 * that all its lines share become narrower. If the table is still too wide, its last column
 * continues on the next line; a long single word loses its middle. Other lines are broken at
 * blanks. Colour sequences count as 0 columns.
 */
void fit_text(const char *text, size_t width, FILE *out);

/*
 * A stream for a command's output: write to ->to. If `out` is a terminal, fitted_end() fits the
 * whole text to its width; otherwise it is written directly. fitted_end() returns 0, or -1 with
 * errno.
 */
struct fitted {
	FILE *to, *out;
	char *text;
	size_t length;
};

void fitted_begin(struct fitted *f, FILE *out);
int fitted_end(struct fitted *f);

#endif
