// SPDX-License-Identifier: MIT
/* Many kernels side by side: the table of facts by kernel. */
#ifndef RSSCK_MATRIX_H
#define RSSCK_MATRIX_H

#include <rssck/verdict.h>
#include <stdio.h>

/* Writes a Markdown page of those runs, sorted by release. Returns 0, or -1 with errno. */
int report_matrix(struct results *runs, size_t nr, FILE *out);

/* The page of documents: each sentence, and the kernels of the runs on which it holds. */
int report_documents(struct results *runs, size_t nr, FILE *out);

/* The page of real bugs: the case that shows each, and the kernels of the runs that have it. */
int report_bug_history(struct results *runs, size_t nr, FILE *out);

#endif
