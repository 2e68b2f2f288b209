// SPDX-License-Identifier: MIT
#ifndef RSSCK_GUARD_H
#define RSSCK_GUARD_H

#include "state.h"

/*
 * Folders in which a step may have a named object for a moment, besides the engine's directory, and
 * those of them that are cgroups (in version 1 the workload's own). Both lists end with NULL.
 */
const char *const *guard_folders(void);
const char *const *guard_cgroups(void);

/*
 * A process that outlives us, however we end. It then removes everything whose name begins with
 * e->mark and a dot in those folders and in e->directory: files and empty folders (cgroups). If
 * it cannot be started, nothing is removed.
 */
struct guard {
	int alive; /* a pipe whose closing the guard notices; -1: there is no guard */
	pid_t pid;
};

void guard_start(struct guard *g, const struct engine *e, const char *const *folders);

/* The same with another function to run at the end. */
typedef void guard_fn(const void *of);
void guard_start_for(struct guard *g, guard_fn *do_then, const void *of);

/* Makes the guard clean up and end. Does nothing if there is none. */
void guard_end(struct guard *g);

/*
 * Removes cgroups in those folders that a killed check and its killed guard have left: empty ones
 * named rssck.PID for which no such process exists. Files and other folders stay.
 */
void guard_remove_stale_cgroups(const char *const *folders);

#endif
