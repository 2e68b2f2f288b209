// SPDX-License-Identifier: MIT
/* Lists the lines of meminfo, vmstat and memory.stat that cases check. */
#ifndef RSSCK_LIST_LINES_H
#define RSSCK_LIST_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Prints for each file how many lines this kernel has, how many fail a case if they stand still,
 * and why the others do not; all: also the cases. Returns how many lines have neither a case nor a
 * reason.
 */
size_t lines_print(bool all, FILE *out);

/* The same as [{ file, line, cases, why_not }]. */
json_t *lines_json(void);

#endif
