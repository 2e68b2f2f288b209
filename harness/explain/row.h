// SPDX-License-Identifier: MIT
/* Pasted rows of tools and of files, recognised by their shape: "Mem: 15Gi 3.1Gi ...". */
#ifndef RSSCK_EXPLAIN_ROW_H
#define RSSCK_EXPLAIN_ROW_H

#include <stdbool.h>
#include <stddef.h>

enum { ROW_COLUMNS = 40, ROW_VALUE = 64, ROWS_MOST = 6 };

struct row_column {
	const char *name;
	const char *is; /* its meaning; NULL: the column is not explained */
};

struct pasted;

/* A row of a tool or of a file: rows.def. */
struct row {
	const char *title;
	const char *shape;
	const char *before;  /* words that may precede it: a command, a heading; or NULL */
	const char *marks;   /* what the text must contain, or NULL */
	const char *note;    /* or NULL */
	const char *look_up; /* names, separated by ", " */
	struct row_column of[ROW_COLUMNS + 1];
	bool (*is_it)(const struct pasted *); /* looks at the numbers; NULL: the shape is enough */
};

/* A row as it was pasted: the text of each of its columns, "" for one that is missing. */
struct pasted {
	const struct row *row;
	char value[ROW_COLUMNS][ROW_VALUE];
};

/*
 * Stores the rows of a text that consists only of rows. Returns their number, or 0 if the text
 * contains anything else.
 */
size_t rows_find(const char *text, struct pasted of[ROWS_MOST]);

/* Returns all known rows; *nr is their number. */
const struct row *rows_all(size_t *nr);

/*
 * True if a text is a row of numbers, rather than a sentence: at least four numbers, and more of
 * them than of other words.
 */
bool text_is_row(const char *text);

enum { LABELS_MOST = 24, LABEL_SIZE = 3 * ROW_VALUE };

/*
 * Stores the labels of a text that consists only of labels and their numbers: "Lost RAM: 287,420K".
 * Returns their number, or 0 if the text contains anything else.
 */
size_t text_labels(const char *text, char of[LABELS_MOST][LABEL_SIZE]);

#endif
