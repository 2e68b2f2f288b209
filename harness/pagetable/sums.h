// SPDX-License-Identifier: MIT
#ifndef RSSCK_PAGEMAP_SUMS_H
#define RSSCK_PAGEMAP_SUMS_H

#include <rssck/snapshot.h>

/* Computes the pagemap.* and frames.* metrics from the counts of each mapping. */
void pagemap_sum_up(struct snapshot *s, bool frames_counted);

#endif
