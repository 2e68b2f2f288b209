// SPDX-License-Identifier: MIT
/* Text for people in lines that fit: a title, labelled paragraphs, lists. */
#ifndef RSSCK_PROSE_H
#define RSSCK_PROSE_H

#include <stdbool.h>
#include <stdio.h>

struct prose {
	FILE *out;
	unsigned width; /* of a line, in columns */
	bool bold;      /* titles and labels stand out */
};

/* The columns of the terminal that a stream writes to; 0 where it is none, or they are not known.
 */
unsigned terminal_columns(FILE *out);

/* As wide as $COLUMNS says, as the terminal, or 80 columns where `out` is none; bold as check's
 * colour is. */
struct prose prose_to(FILE *out);

/* "status.VmRSS", on a line of its own. */
void prose_title(const struct prose *p, const char *title);

/* A paragraph, indented by so many columns. */
void prose_text(const struct prose *p, unsigned indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* "Read instead: smaps_rollup.Rss": a name that stands out, and what is said of it. */
void prose_named(const struct prose *p, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* "  --cpus=N    of the machine": a term, and beside it, from column `at` on, text; below it if it
 * is long. */
void prose_hanging(const struct prose *p, const char *term, unsigned at, const char *text);

/* "  Shown by       top RES, htop RES": a label, and text beside it. No label: the text goes on. */
void prose_item(const struct prose *p, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
