// SPDX-License-Identifier: MIT
/* Writes text for people in lines that fit the terminal: titles, labelled paragraphs, lists. */
#ifndef RSSCK_PROSE_H
#define RSSCK_PROSE_H

#include <stdbool.h>
#include <stdio.h>

struct prose {
	FILE *out;
	unsigned width; /* in columns */
	bool bold;      /* write titles and labels in bold */
};

/*
 * Returns the width in columns of the terminal that a stream writes to; 0 if it is not a terminal
 * or its width is unknown.
 */
unsigned terminal_columns(FILE *out);

/*
 * The width is $COLUMNS, else the terminal's, but at least 30 and at most 100 columns; 80 if
 * neither is known. Bold is used where `rssck check` would use colour.
 */
struct prose prose_to(FILE *out);

/* Writes a title such as "status.VmRSS" on a line of its own. */
void prose_title(const struct prose *p, const char *title);

/* Writes a paragraph, indented by `indent` columns. */
void prose_text(const struct prose *p, unsigned indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes a bold name and its text, as in "Read instead: smaps_rollup.Rss". */
void prose_named(const struct prose *p, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Writes a term and its text, as in "  --cpus=N   of the machine". The text begins in column `at`,
 * or on the next line if the term is too long.
 */
void prose_hanging(const struct prose *p, const char *term, unsigned at, const char *text);

/*
 * Writes a label and its text: " Shown by top RES, htop RES". Without a label the text continues
 * the item above.
 */
void prose_item(const struct prose *p, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
