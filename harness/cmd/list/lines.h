// SPDX-License-Identifier: MIT
/* Lists the lines of meminfo, vmstat and memory.stat that cases check. */
#ifndef RSSCK_LIST_LINES_H
#define RSSCK_LIST_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Prints how many lines the files have on this kernel, how many of them fail a case if they do not
 * change, and the reasons for the others. `all`: also prints the cases. Returns the number of lines
 * without a case and without a reason.
 */
size_t lines_print(bool all, FILE *out);

/* Returns the same data as [{ file, line, cases, why_not }]. */
json_t *lines_json(void);

#endif
