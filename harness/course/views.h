// SPDX-License-Identifier: MIT
/* Views of a lesson other than the pages of its processes, and the reference. */
#ifndef RSSCK_COURSE_VIEWS_H
#define RSSCK_COURSE_VIEWS_H

#include "slot.h"
#include <stdio.h>

/* Draws the effect of each operation on each kind of memory. */
void view_grid(struct course *c, struct spot s);

/* Draw all memory of the machine before and after the line, as a picture and as a table. */
void view_machine(struct course *c, struct spot s);
void view_machine_numbers(struct course *c, struct spot s);

/* Draws the processes and the machine's page cache as cells, before and after the line. */
void view_cache(struct course *c, struct spot s);

/*
 * Draws the charge of a cgroup with a limit for each kind of memory, and whether the process was
 * killed.
 */
void view_limit(struct course *c, struct spot s);

/* Writes a table of the numbers that the program itself has read; nothing if it has read none. */
void view_reported(struct course *c, struct spot s);

/*
 * The reference at the end of the page, in the words of rssck explain: the pages that each number
 * includes, and further questions. Each returns 0, or -1 if there is no memory.
 */
int reference_numbers(FILE *out);
int reference_asked(FILE *out);

#endif
