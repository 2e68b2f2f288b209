// SPDX-License-Identifier: MIT
/* Many kernels side by side: the table of facts by kernel. */
#ifndef RSSCK_MATRIX_H
#define RSSCK_MATRIX_H

#include <rssck/verdict.h>
#include <stdio.h>

/*
 * A Markdown page of those runs, which are put in order of their releases.
 * Returns 0, or -1 with errno.
 */
int report_matrix(struct results *runs, size_t nr, FILE *out);

/* The page of documents: each sentence, and on which of the runs' kernels it holds. */
int report_documents(struct results *runs, size_t nr, FILE *out);

/* The page of real bugs: which case shows each, and which of the runs' kernels have it. */
int report_bug_history(struct results *runs, size_t nr, FILE *out);

#endif
