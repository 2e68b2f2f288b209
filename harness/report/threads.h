// SPDX-License-Identifier: MIT
/* The known program: 100 threads that stand still, while the counters are at their worst. */
#ifndef RSSCK_THREADS_H
#define RSSCK_THREADS_H

#include <rssck/verdict.h>

extern const char threads_case[];

/* What that case saw of a metric: the worst, where it ran more than once; NULL where it did not
 * run. */
const struct discrepancy *threads_seen(const struct results *r, const char *metric);

#endif
