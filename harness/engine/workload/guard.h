// SPDX-License-Identifier: MIT
#ifndef RSSCK_GUARD_H
#define RSSCK_GUARD_H

#include "state.h"

/*
 * guard_folders() lists the folders in which a step may have a named object for a moment, without
 * the engine's directory. guard_cgroups() lists those that are cgroups (for cgroup v1 the
 * workload's own). Both lists end with NULL.
 */
const char *const *guard_folders(void);
const char *const *guard_cgroups(void);

/*
 * A guard is a process that outlives rssck, whatever ends rssck. After the end of rssck the guard
 * removes all files and empty folders (cgroups) in those folders and in e->directory whose name
 * begins with e->mark and a dot. If the guard cannot be started, nothing is removed.
 */
struct guard {
	int alive; /* a pipe that rssck closes when it ends; -1: there is no guard */
	pid_t pid;
};

void guard_start(struct guard *g, const struct engine *e, const char *const *folders);

/* Like guard_start(), but at the end the guard runs do_then(of). */
typedef void guard_fn(const void *of);
void guard_start_for(struct guard *g, guard_fn *do_then, const void *of);

/* Makes the guard clean up and end. Does nothing if there is none. */
void guard_end(struct guard *g);

/*
 * Removes cgroups that a killed check and its killed guard left in those folders: empty ones whose
 * name begins with rssck.PID, if no process has that PID. Files and other folders stay.
 */
void guard_remove_stale_cgroups(const char *const *folders);

#endif
