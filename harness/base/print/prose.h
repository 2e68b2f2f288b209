// SPDX-License-Identifier: MIT
/* Text for people in lines that fit: a title, labelled paragraphs, lists. */
#ifndef RSSCK_PROSE_H
#define RSSCK_PROSE_H

#include <stdbool.h>
#include <stdio.h>

struct prose {
	FILE *out;
	unsigned width; /* line width in columns */
	bool bold;      /* titles and labels are bold */
};

/*
 * The columns of the terminal that a stream writes to; 0 if it is no terminal or the width is
 * unknown.
 */
unsigned terminal_columns(FILE *out);

/*
 * The width is $COLUMNS, that of the terminal, or 80 columns if `out` is no terminal; bold is
 * on if check would use colour.
 */
struct prose prose_to(FILE *out);

/* "status.VmRSS", on a line of its own. */
void prose_title(const struct prose *p, const char *title);

/* A paragraph, indented by `indent` columns. */
void prose_text(const struct prose *p, unsigned indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* "Read instead: smaps_rollup.Rss": a bold name, and text about it. */
void prose_named(const struct prose *p, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * " --cpus=N of the machine": a term, and text from column `at` on; below the term if that is
 * long.
 */
void prose_hanging(const struct prose *p, const char *term, unsigned at, const char *text);

/*
 * " Shown by top RES, htop RES": a label, and text after it. Without a label the text continues the
 * item above.
 */
void prose_item(const struct prose *p, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
