// SPDX-License-Identifier: MIT
/* What a lesson shows in place of the pages of processes. */
#ifndef RSSCK_COURSE_VIEWS_H
#define RSSCK_COURSE_VIEWS_H

#include "slot.h"

/* The effect of each operation on each kind of memory. */
void view_grid(struct course *c, struct spot s);

/* All of the machine's memory, before and after the line: as a picture, and as a table. */
void view_machine(struct course *c, struct spot s);
void view_machine_numbers(struct course *c, struct spot s);

/* Page cache that no process maps, as cells, before the line and after it. */
void view_cache(struct course *c, struct spot s);

/* How full a cgroup's limit was with each kind of memory, and whether the process was killed. */
void view_limit(struct course *c, struct spot s);

/* The numbers that the program itself has read, as a table; nothing if it has read none. */
void view_reported(struct course *c, struct spot s);

#endif
