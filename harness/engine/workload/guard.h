// SPDX-License-Identifier: MIT
#ifndef RSSCK_GUARD_H
#define RSSCK_GUARD_H

#include "state.h"

/* Where a step may for a moment have something of a name: the engine's directory besides. */
extern const char *const guard_folders[]; /* ends with NULL */

/*
 * A process that outlives us, however we end: it removes what is called e->mark and
 * a dot in those folders and in e->directory, files and empty folders (cgroups).
 * Where it cannot be started nothing does that.
 */
struct guard {
	int alive; /* a pipe that the guard hears close; -1: there is no guard */
	pid_t pid;
};

void guard_start(struct guard *g, const struct engine *e, const char *const *folders);

/* The same with what it does then, where that is another thing. */
typedef void guard_fn(const void *of);
void guard_start_for(struct guard *g, guard_fn *do_then, const void *of);

/* Have it look a last time, and end. Safe where there is none. */
void guard_end(struct guard *g);

/*
 * Cgroups below `root` that a check has left which is gone, and its guard with it: empty ones
 * of the name rssck.PID, where there is no such process.
 */
void guard_remove_stale_cgroups(const char *root);

#endif
