// SPDX-License-Identifier: MIT
/* Tables in Markdown that compare many kernels. */
#ifndef RSSCK_MATRIX_H
#define RSSCK_MATRIX_H

#include <rssck/verdict.h>
#include <stdio.h>

/*
 * Sorts the runs by release and writes a Markdown page that compares them. Returns 0, or -1 with
 * errno.
 */
int report_matrix(struct results *runs, size_t nr, FILE *out);

/* Writes the page of documents: each sentence, and the kernels on which it is true. */
int report_documents(struct results *runs, size_t nr, FILE *out);

/* Writes the page of real bugs: the case that shows each bug, and the kernels that have it. */
int report_bug_history(struct results *runs, size_t nr, FILE *out);

#endif
