// SPDX-License-Identifier: MIT
/*
 * Tables of a report in any format: this code defines their columns, rows, cells and links.
 * matrix/ writes them in Markdown, page/ in HTML.
 */
#ifndef RSSCK_SHEET_H
#define RSSCK_SHEET_H

#include "runs/kernels.h"
#include <stdio.h>

struct sheet;

struct sheet_head {
	const char *name;           /* its name for a style sheet */
	const char *title;          /* printed above it if there is room */
	const char *const *columns; /* ended by NULL */
	size_t numbers_from;        /* this column and the later ones are numbers; 0: none is */
};

/* Writers for the parts of a row. All texts are escaped, so that nothing in them becomes markup. */
struct sheet_writer {
	void (*begin)(struct sheet *s);
	void (*end)(struct sheet *s);
	/*
	 * `wrong_on`: the kernels on which the row reports something wrong, or NULL; `at`: the
	 * row's number.
	 */
	void (*row)(struct sheet *s, size_t at, const bool *wrong_on);
	void (*row_end)(struct sheet *s);
	void (*cell)(struct sheet *s, bool is_wrong); /* called before the column s->column */
	void (*cell_end)(struct sheet *s);
	void (*text)(struct sheet *s, const char *text);
	void (*prose)(struct sheet *s, const char *text); /* commits in it may become links */
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
	bool *set;                     /* room for a set of kernels */
	const struct sheet_head *head; /* the head of the table that is being written */
	size_t column;                 /* index of the next cell */
};

/*
 * The sentences of documents, or only those that are false on the newest kernel. There must be at
 * least one.
 */
void sheet_documents(struct sheet *s, bool false_alone);

enum sheet_bugs { BUGS_ALL, BUGS_SHOWN, BUGS_NOT_SHOWN };

/* Real bugs of Linux: all, or those that a case shows, or the others. */
void sheet_bugs(struct sheet *s, enum sheet_bugs which);

/* The runs that a report is made from. */
void sheet_runs(struct sheet *s);

/*
 * The cases that could be judged in none of the runs. Returns their number; writes nothing if
 * it is 0.
 */
size_t sheet_not_run(struct sheet *s);

/* The facts that have one value on all kernels. Returns their number; writes nothing if it is 0. */
size_t sheet_same_facts(struct sheet *s);

/* ---- for these tables ---- */

void sheet_begin(struct sheet *s, const struct sheet_head *head);
void sheet_row(struct sheet *s, size_t at, const bool *wrong_on);
void sheet_row_end(struct sheet *s);
void sheet_cell(struct sheet *s);
void sheet_cell_end(struct sheet *s);

/* A cell with only that text; NULL: an empty one. */
void sheet_text(struct sheet *s, const char *text);
void sheet_number(struct sheet *s, size_t number, bool is_wrong);

/* A cell with the names of kernels. */
void sheet_kernels(struct sheet *s, const bool *set);

#endif
