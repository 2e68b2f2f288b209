// SPDX-License-Identifier: MIT
/* Declarations shared by the files of matrix/. */
#ifndef RSSCK_MATRIX_PRIVATE_H
#define RSSCK_MATRIX_PRIVATE_H

#include "matrix.h"
#include "sheet/sheet.h"

enum { NOTES_MAX = 64 };

struct matrix {
	struct kernels kernels;
	struct fact_rows facts; /* owned */
	FILE *out;
	bool *marks; /* for each kernel: its cell in the current row differs from the cell to its
		      * left */
	const char *notes[NOTES_MAX]; /* in the order of their first use */
	size_t nr_notes;
};

/* Sorts the runs and prepares the page. Returns 0, or -1 with errno. */
int matrix_make(struct matrix *m, struct results *runs, size_t nr, FILE *out);

/* Frees *m. Returns 0, or -1 with errno if the page could not be written. */
int matrix_end(struct matrix *m);

/* Writes text into a table cell. */
void matrix_cell(const char *s, FILE *out);

/* Writes the heading of a kernel's column. */
void matrix_column(const struct matrix *m, size_t i);

/*
 * Writes the head of a table: the first column, the kernels, and a last column unless `last` is
 * NULL.
 */
void matrix_header(const struct matrix *m, const char *first, const char *last);

/* Sets m->marks for a row. True if it has set any. */
bool matrix_row_changes(const struct matrix *m, cell_fn *cell, const void *row);

/* Writes the kernels' cells of a row. Marked cells are bold. */
void matrix_row(const struct matrix *m, cell_fn *cell, const void *row);

/*
 * Writes the cell with the reason for a change in this row: the number of a note below the table.
 */
void matrix_why(struct matrix *m, const char *name);

/* Makes the sheet for tables that page/ also writes. */
struct sheet matrix_sheet(const struct matrix *m);

/* The sections of the page. */
void matrix_facts(struct matrix *m);
void matrix_documents(const struct matrix *m);
void matrix_notes(const struct matrix *m);
int matrix_not_passed(const struct matrix *m); /* 0, or -1 with errno */

#endif
