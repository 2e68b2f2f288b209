// SPDX-License-Identifier: MIT
/* Tables and sentences in the lines that a terminal has. */
#ifndef RSSCK_FIT_H
#define RSSCK_FIT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Write text in lines of at most so many columns. Of consecutive lines with gaps, a table, gaps
 * that all of them have become smaller; what is too wide then goes on below its last column, or,
 * one long word, loses its middle. Other lines are broken at blanks. Colours take no column.
 */
void fit_text(const char *text, size_t width, FILE *out);

/*
 * What is written to ->to goes to a stream as it is, or, where that is a terminal, in its columns
 * when fitted_end() is called, which returns 0, or -1 with errno.
 */
struct fitted {
	FILE *to, *out;
	char *text;
	size_t length;
};

void fitted_begin(struct fitted *f, FILE *out);
int fitted_end(struct fitted *f);

#endif
