// SPDX-License-Identifier: MIT
/* The known program: 100 threads that stand still, while the counters are off by the most. */
#ifndef RSSCK_THREADS_H
#define RSSCK_THREADS_H

#include <rssck/verdict.h>

extern const char threads_case[];

/*
 * That case's discrepancy for a metric: the worst if it ran more than once; NULL if it did not
 * run.
 */
const struct discrepancy *threads_seen(const struct results *r, const char *metric);

#endif
