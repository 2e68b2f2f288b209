// SPDX-License-Identifier: MIT
/* Fits tables and sentences into the width of a terminal. */
#ifndef RSSCK_FIT_H
#define RSSCK_FIT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Writes text in lines of at most `width` columns. Consecutive lines with gaps are a table: gaps
 * that all of them share become narrower; if that is not enough, the last column continues on
 * the lines below it, or, if it is one long word, loses its middle. Other lines are broken at
 * blanks. Colours take no column.
 */
void fit_text(const char *text, size_t width, FILE *out);

/*
 * A stream for a command's output. What is written to ->to goes straight to the stream, or, if
 * that is a terminal, is fitted to its width when fitted_end() is called. fitted_end() returns 0,
 * or -1 with errno.
 */
struct fitted {
	FILE *to, *out;
	char *text;
	size_t length;
};

void fitted_begin(struct fitted *f, FILE *out);
int fitted_end(struct fitted *f);

#endif
