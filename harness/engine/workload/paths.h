// SPDX-License-Identifier: MIT
#ifndef RSSCK_PATHS_H
#define RSSCK_PATHS_H

#include "state.h"

/* Fill in e->workload and e->directory. Return 0, or -1 with a message in `why`. */
int paths_find_workload(struct engine *e, char *why, size_t size);
int paths_find_directory(struct engine *e, const char *directory, char *why, size_t size);

/*
 * Looks for rssck-worker, the small program with only the cases fuzz/worker and atlas/worker. If it
 * exists, its path replaces e->workload. Returns true if it exists and can be read.
 */
bool paths_find_worker(struct engine *e);

/*
 * Replaces e->workload by a nameless copy of the program. Two checks that map one file would change
 * each other's Pss and shared sizes. The copy disappears with the last process that uses it. If no
 * copy can be made, nothing changes.
 */
void copy_make(struct engine *e);

/* Closes the copy, if there is one. */
void copy_drop(struct engine *e);

#endif
