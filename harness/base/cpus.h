// SPDX-License-Identifier: MIT
/* Sets of CPUs as large as a kernel's can be: a cpu_set_t holds 1,024 only. */
#ifndef RSSCK_CPUS_H
#define RSSCK_CPUS_H

#include <rssck/host.h>
#include <sched.h>

/*
 * The kernel refuses to fill in a set that is smaller than its own, so this one has the maximum
 * size.
 */
struct cpu_mask {
	unsigned long bits[HOST_CPUS_MAX / 8 / sizeof(unsigned long)];
};

/* The CPUs that this thread may run on. Returns 0, or -1 with errno. */
int cpus_now(struct cpu_mask *m);

/* Restricts this thread to those CPUs. Returns 0, or -1 with errno. */
int cpus_keep_to(const struct cpu_mask *m);
int cpus_keep_to_one(int cpu);

void cpus_add(struct cpu_mask *m, int cpu);
bool cpus_hold(const struct cpu_mask *m, int cpu);

/*
 * Writes the CPUs in the set, in ascending order, into list, which has room for all; returns how
 * many.
 */
unsigned cpus_list(const struct cpu_mask *m, int *list);

/* The number of CPUs in the set. */
unsigned cpus_count(const struct cpu_mask *m);

#endif
