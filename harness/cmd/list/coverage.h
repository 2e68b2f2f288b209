// SPDX-License-Identifier: MIT
/* Lists the metrics whose changes the cases check. */
#ifndef RSSCK_COVERAGE_H
#define RSSCK_COVERAGE_H

#include "cmd/line/select.h"
#include <stdio.h>

/*
 * Prints, for each metric, the cases of s that check how it changes: the first few, or all. Then
 * prints the totals, and the same for the lines of meminfo, vmstat and memory.stat. Returns
 * EXIT_HOLDS, or EXIT_FAILS if a metric has no case, or a line neither a case nor a reason.
 */
int coverage_print(const struct selection *s, bool all, FILE *out);

#endif
