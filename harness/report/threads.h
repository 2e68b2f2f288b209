// SPDX-License-Identifier: MIT
/* The case with 100 waiting threads, which shows how far counters can lag. */
#ifndef RSSCK_THREADS_H
#define RSSCK_THREADS_H

#include <rssck/verdict.h>

extern const char threads_case[];

/*
 * Returns that case's discrepancy for a metric at the step with 100 threads, or NULL if it has none
 * or did not run. With several discrepancies it returns the worst.
 */
const struct discrepancy *threads_seen(const struct results *r, const char *metric);

#endif
