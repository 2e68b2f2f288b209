// SPDX-License-Identifier: MIT
/* Lists the lines of meminfo, vmstat and memory.stat, and the metrics, that cases check. */
#ifndef RSSCK_LIST_LINES_H
#define RSSCK_LIST_LINES_H

#include "cmd/line/select.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Prints how many lines the files have on this kernel, for how many of them a case fails if the
 * line does not change, and the reasons for the others. `all`: also prints the cases. Returns the
 * number of lines without a case and without a reason.
 */
size_t lines_print(bool all, FILE *out);

/* Returns the same data as [{ file, line, cases, why_not }]. */
json_t *lines_json(void);

/*
 * Prints, for each metric, the cases of s that check how it changes: the first few, or all. Then
 * prints the totals, and the same for the lines of meminfo, vmstat and memory.stat. Returns
 * EXIT_HOLDS, or EXIT_FAILS if a metric has no case, or a line neither a case nor a reason.
 */
int coverage_print(const struct selection *s, bool all, FILE *out);

#endif
