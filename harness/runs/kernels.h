// SPDX-License-Identifier: MIT
/*
 * Many runs side by side, whatever the page is written in: the order of the columns, their names,
 * and their values in a row.
 */
#ifndef RSSCK_KERNELS_H
#define RSSCK_KERNELS_H

#include <rssck/verdict.h>

enum { CELL_SIZE = 160 };

/* Runs in the order in which they are shown. */
struct kernels {
	const struct results *of;
	size_t nr;
};

/* By release, then by CPUs. */
void kernels_sort(struct results *runs, size_t nr);

/* "6.12.43", or as much more as it takes to tell two runs apart, into buf. */
const char *kernel_name(const struct kernels *k, size_t i, char *buf, size_t size);

/*
 * The kernels that are in a set, "5.10.0, 6.1.0, 7.2.13 and later", into
 * buf; "all" or "none" where that is so.
 */
const char *kernels_words(const struct kernels *k, const bool *set, char *buf, size_t size);

/* One kernel's value in one row, in buf or static; NULL if it has none. */
typedef const char *cell_fn(const struct results *r, const void *row, char *buf, size_t size);

cell_fn model_cell; /* row: const enum metric_id *, one of modelled[] */
cell_fn lag_cell;   /* row: the same; kB while 100 threads stand still */
cell_fn fact_cell;  /* row: const struct fact_row * */

struct fact_row {
	const char *id, *name; /* of the case, of the fact; in some run */
};

struct fact_rows {
	struct fact_row *of; /* owned, in order of the cases' ids */
	size_t nr;
};

/* Every fact of any run but those that are counter models. Returns 0, or -1 with errno. */
int fact_rows_gather(struct fact_rows *rows, const struct kernels *k);

/*
 * Group the kernels by their value in a row: equal numbers for equal values, counted from 1 in the
 * order in which they appear; 0: no value. Values that differ only as the numbers of CPUs do are
 * equal. Returns how many values there are.
 */
unsigned row_values(const struct kernels *k, cell_fn *cell, const void *row, unsigned *values);

/* True if the row has more than one value. */
bool row_differs(const struct kernels *k, cell_fn *cell, const void *row);

/* How many facts have more than one value. */
size_t facts_that_differ(const struct kernels *k, const struct fact_rows *facts);

/* That case in a run, or NULL. */
const struct result *result_of(const struct results *r, const char *id);

/* True if the case could be judged on some kernel; if not, the reason of the newest. */
bool case_ran(const struct kernels *k, const char *id);
const char *case_why_not(const struct kernels *k, const char *id);

#endif
