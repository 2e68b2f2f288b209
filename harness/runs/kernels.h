// SPDX-License-Identifier: MIT
/*
 * A table of many runs, for every page format: the order of its columns, their names, and their
 * values in a row.
 */
#ifndef RSSCK_KERNELS_H
#define RSSCK_KERNELS_H

#include <rssck/bug.h>
#include <rssck/verdict.h>

enum { CELL_SIZE = 160 };

/* Runs in the order in which they are shown. */
struct kernels {
	const struct results *of;
	size_t nr;
};

/* Sorts by release, then by CPUs. */
void kernels_sort(struct results *runs, size_t nr);

/*
 * Writes a kernel's name into buf: "6.12.43"; if that is ambiguous, the complete release; and the
 * number of CPUs if several runs have this release.
 */
const char *kernel_name(const struct kernels *k, size_t i, char *buf, size_t size);

/*
 * Writes the names of a set of kernels into buf: "5.10.0, 6.1.0, 7.2.13 and later", "all" or
 * "none".
 */
const char *kernels_words(const struct kernels *k, const bool *set, char *buf, size_t size);

/* Returns one kernel's value in one row, in buf or in static memory; NULL if it has no value. */
typedef const char *cell_fn(const struct results *r, const void *row, char *buf, size_t size);

cell_fn model_cell; /* row: const enum metric_id *, one of modelled[] */
/*
 * row: const enum metric_id *. Returns counter minus page tables in kB, measured with 100 waiting
 * threads (threads_case).
 */
cell_fn lag_cell;
cell_fn fact_cell; /* row: const struct fact_row * */

struct fact_row {
	const char *id, *name; /* the id of the case and the name of the fact, both from any run */
};

struct fact_rows {
	struct fact_row *of; /* owned, sorted by the cases' ids */
	size_t nr;
};

/*
 * Collects the facts of all runs, except facts that are counter models. Returns 0, or -1 with
 * errno.
 */
int fact_rows_gather(struct fact_rows *rows, const struct kernels *k);

/*
 * Groups the kernels by their value in a row. Equal values get equal numbers, counted from 1 in the
 * order in which they appear; 0 means no value. Values that differ only by the number of CPUs are
 * equal. Returns the number of different values.
 */
unsigned row_values(const struct kernels *k, cell_fn *cell, const void *row, unsigned *values);

/* True if the row has several different values. */
bool row_differs(const struct kernels *k, cell_fn *cell, const void *row);

/* The number of facts with several different values. */
size_t facts_that_differ(const struct kernels *k, const struct fact_rows *facts);

/* The result of a case in a run, or NULL. */
const struct result *result_of(const struct results *r, const char *id);

/*
 * case_ran() is true if the case passed or failed on some kernel. Otherwise case_why_not() returns
 * the reason on the newest kernel that has the case.
 */
bool case_ran(const struct kernels *k, const char *id);
const char *case_why_not(const struct kernels *k, const char *id);

enum presence { NOT_SEEN, ABSENT, PRESENT };

/*
 * Returns NOT_SEEN if the case that shows the bug was not judged in this run or did not report the
 * bug's fact, or if no case shows the bug.
 */
enum presence bug_presence(const struct bug *b, const struct results *run);

/*
 * Sets have[] for the kernels that have the bug. Returns the number of kernels for which
 * bug_presence() is not NOT_SEEN.
 */
size_t bug_kernels(const struct kernels *k, const struct bug *b, bool *have);

#endif
