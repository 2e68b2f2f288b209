// SPDX-License-Identifier: MIT
/* Lists the lines of meminfo, vmstat and memory.stat that cases check. */
#ifndef RSSCK_LIST_LINES_H
#define RSSCK_LIST_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Prints three things for each file: the number of lines that this kernel has, the number of lines
 * that fail a case if they do not change, and the reasons for the remaining lines. `all`: also
 * prints the cases. Returns the number of lines without a case and without a reason.
 */
size_t lines_print(bool all, FILE *out);

/* Returns the same data as [{ file, line, cases, why_not }]. */
json_t *lines_json(void);

#endif
