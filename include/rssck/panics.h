// SPDX-License-Identifier: MIT
/* Settings with which the machine panics at what a case does on purpose. */
#ifndef RSSCK_PANICS_H
#define RSSCK_PANICS_H

#include <stdbool.h>

struct workload;

/*
 * True if the machine panics when a cgroup reaches its limit and has nothing to reclaim
 * (vm.panic_on_oom is 2). Then no case may lower a cgroup's limit of memory:
 * workload_cgroup_set() and workload_cgroup_try_to_set() do not.
 */
bool workload_oom_panics(void);
#define OOM_PANICS "a cgroup's memory.max: vm.panic_on_oom is 2, so the machine would panic at it"

/* Skips the case if the machine panics at a memory error, which MADV_HWPOISON simulates. */
void workload_needs_recovery(struct workload *w);

#endif
