// SPDX-License-Identifier: MIT
/* For each line of meminfo, vmstat and memory.stat: the cases that fail if it stands still. */
#ifndef RSSCK_MACHINE_CHECKED_H
#define RSSCK_MACHINE_CHECKED_H

#include <stddef.h>

struct checked {
	const char *file;    /* "memory.stat" */
	const char *lines;   /* "anon file": its lines, or patterns for them */
	const char *cases;   /* separated by blanks; NULL: none */
	const char *why_not; /* the reason, if there is none */
};

/* The row of a line; NULL: the table does not know it. */
const struct checked *line_checked(const char *file, const char *line);

/* All rows, checked.def: [0, *nr). */
const struct checked *lines_checked(size_t *nr);

#endif
