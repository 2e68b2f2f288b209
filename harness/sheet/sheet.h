// SPDX-License-Identifier: MIT
/*
 * Tables of a report in any format. This code defines their columns, rows, cells and links; matrix/
 * writes them in Markdown, and page/ in HTML.
 */
#ifndef RSSCK_SHEET_H
#define RSSCK_SHEET_H

#include "runs/kernels.h"
#include <stdio.h>

struct sheet;

struct sheet_head {
	const char *name;           /* the table's name for a style sheet */
	const char *title;          /* page/ prints it above the table; matrix/ does not print it */
	const char *const *columns; /* ended by NULL */
	size_t numbers_from;        /* index of the first numeric column; all later columns are
				     * numeric, too; 0: no column is */
};

/* Functions that write the parts of a row. They escape texts, so no text can become markup. */
struct sheet_writer {
	void (*begin)(struct sheet *s);
	void (*end)(struct sheet *s);
	/*
	 * `wrong_on` is the set of kernels on which the row reports something wrong, or NULL. `at`
	 * is the row's number.
	 */
	void (*row)(struct sheet *s, size_t at, const bool *wrong_on);
	void (*row_end)(struct sheet *s);
	void (*cell)(struct sheet *s, bool is_wrong); /* begins the cell of column s->column */
	void (*cell_end)(struct sheet *s);
	void (*text)(struct sheet *s, const char *text);
	void (*prose)(struct sheet *s, const char *text); /* hashes of commits in the text may
							   * become links */
	void (*aside)(struct sheet *s, const char *text); /* text that a writer may leave out */
	void (*to_case)(struct sheet *s, const char *id, const char *text);
	void (*to_commit)(struct sheet *s, const char *commit);
	void (*to_finding)(struct sheet *s, unsigned number);
	void (*nothing)(struct sheet *s); /* called for an empty cell */
};

struct sheet {
	const struct sheet_writer *write;
	FILE *out;
	struct kernels kernels;
	struct fact_rows facts;
	bool *set;                     /* a buffer for a set of kernels */
	const struct sheet_head *head; /* the head of the current table */
	size_t column;                 /* index of the next cell */
};

/*
 * Writes the sentences of documents: all, or only those that are false on the newest kernel. There
 * must be at least one kernel.
 */
void sheet_documents(struct sheet *s, bool false_alone);

enum sheet_bugs { BUGS_ALL, BUGS_SHOWN, BUGS_NOT_SHOWN };

/* Writes the bugs of Linux: all, those that a case shows, or those that no case shows. */
void sheet_bugs(struct sheet *s, enum sheet_bugs which);

/* Writes the runs from which a report is made. */
void sheet_runs(struct sheet *s);

/*
 * Writes the cases that were judged in none of the runs. Returns their number; writes nothing if it
 * is 0.
 */
size_t sheet_not_run(struct sheet *s);

/*
 * Writes the facts that have the same value on all kernels. Returns their number; writes nothing if
 * it is 0.
 */
size_t sheet_same_facts(struct sheet *s);

/* ---- functions for the tables above ---- */

void sheet_begin(struct sheet *s, const struct sheet_head *head);
void sheet_row(struct sheet *s, size_t at, const bool *wrong_on);
void sheet_row_end(struct sheet *s);
void sheet_cell(struct sheet *s);
void sheet_cell_end(struct sheet *s);

/* Writes a cell that contains only this text; NULL: an empty cell. */
void sheet_text(struct sheet *s, const char *text);
void sheet_number(struct sheet *s, size_t number, bool is_wrong);

/* Writes a cell with the names of kernels. */
void sheet_kernels(struct sheet *s, const bool *set);

#endif
