// SPDX-License-Identifier: MIT
/* Many kernels side by side: the table of facts by kernel. */
#ifndef RSSCK_MATRIX_H
#define RSSCK_MATRIX_H

#include <rssck/verdict.h>
#include <stdio.h>

/* Kernel releases as people order them: 6.9 before 6.12, 6.12.43 before 6.12.100. */
int release_compare(const char *a, const char *b);

/* "6.12.43" of "6.12.43+deb12-cloud-amd64", into buf. */
const char *release_short(const char *release, char *buf, size_t size);

/* Why a counter or fact is not the same on all kernels, or "". */
const char *note_of(const char *name);

/*
 * A Markdown page of those runs, which are put in order of their releases.
 * Returns 0, or -1 with errno.
 */
int report_matrix(struct results *runs, size_t nr, FILE *out);

#endif
