// SPDX-License-Identifier: MIT
/*
 * Many runs side by side, for every page format: the order of the columns, their names, and their
 * values in a row.
 */
#ifndef RSSCK_KERNELS_H
#define RSSCK_KERNELS_H

#include <rssck/verdict.h>

enum { CELL_SIZE = 160 };

/* Runs in display order. */
struct kernels {
	const struct results *of;
	size_t nr;
};

/* Sorts by release, then by CPUs. */
void kernels_sort(struct results *runs, size_t nr);

/* Writes "6.12.43" into buf, or as much more as distinguishes two runs. */
const char *kernel_name(const struct kernels *k, size_t i, char *buf, size_t size);

/* Writes the kernels in a set into buf: "5.10.0, 6.1.0, 7.2.13 and later", "all" or "none". */
const char *kernels_words(const struct kernels *k, const bool *set, char *buf, size_t size);

/* One kernel's value in one row, in buf or static; NULL if it has none. */
typedef const char *cell_fn(const struct results *r, const void *row, char *buf, size_t size);

cell_fn model_cell; /* row: const enum metric_id *, one of modelled[] */
cell_fn lag_cell;   /* row: the same; in kB while 100 threads stand still */
cell_fn fact_cell;  /* row: const struct fact_row * */

struct fact_row {
	const char *id, *name; /* the id of the case, the name of the fact; from any run */
};

struct fact_rows {
	struct fact_row *of; /* owned, in order of the cases' ids */
	size_t nr;
};

/*
 * Collects every fact of any run, except those that are counter models. Returns 0, or -1
 * with errno.
 */
int fact_rows_gather(struct fact_rows *rows, const struct kernels *k);

/*
 * Groups the kernels by their value in a row: equal numbers for equal values, counted from 1 in
 * the order in which they appear; 0: no value. Values that differ only by the numbers of CPUs are
 * equal. Returns the number of different values.
 */
unsigned row_values(const struct kernels *k, cell_fn *cell, const void *row, unsigned *values);

/* True if the row has more than one value. */
bool row_differs(const struct kernels *k, cell_fn *cell, const void *row);

/* The number of facts with more than one value. */
size_t facts_that_differ(const struct kernels *k, const struct fact_rows *facts);

/* The result of that case in a run, or NULL. */
const struct result *result_of(const struct results *r, const char *id);

/*
 * case_ran(): true if the case could be judged on some kernel. case_why_not(): otherwise,
 * the reason on the newest kernel.
 */
bool case_ran(const struct kernels *k, const char *id);
const char *case_why_not(const struct kernels *k, const char *id);

#endif
