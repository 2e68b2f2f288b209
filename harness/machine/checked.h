// SPDX-License-Identifier: MIT
/*
 * The lines of meminfo, vmstat and memory.stat, with the cases that fail if the kernel does not
 * update the line.
 */
#ifndef RSSCK_MACHINE_CHECKED_H
#define RSSCK_MACHINE_CHECKED_H

#include <stddef.h>

struct checked {
	const char *file;  /* "memory.stat" */
	const char *lines; /* names of lines, or patterns: "anon file" */
	const char *cases; /* names of cases, separated by blanks; NULL: no case checks the lines */
	const char *why_not; /* why no case checks the lines; NULL: cases do */
};

/* Returns the row of a line, or NULL if the table has none. */
const struct checked *line_checked(const char *file, const char *line);

/* Returns all rows of checked.def: [0, *nr). */
const struct checked *lines_checked(size_t *nr);

#endif
