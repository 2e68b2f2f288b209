// SPDX-License-Identifier: MIT
/* CPU sets of up to HOST_CPUS_MAX CPUs. A cpu_set_t has room for only 1,024. */
#ifndef RSSCK_CPUS_H
#define RSSCK_CPUS_H

#include <rssck/host.h>
#include <sched.h>

/*
 * sched_getaffinity(2) fails if the set is smaller than the kernel's, so this set has the maximum
 * size.
 */
struct cpu_mask {
	unsigned long bits[HOST_CPUS_MAX / 8 / sizeof(unsigned long)];
};

/* Reads the CPUs that this thread may run on. Returns 0, or -1 with errno. */
int cpus_now(struct cpu_mask *m);

/* Restrict this thread to the CPUs of a set, or to one CPU. Return 0, or -1 with errno. */
int cpus_keep_to(const struct cpu_mask *m);
int cpus_keep_to_one(int cpu);

void cpus_add(struct cpu_mask *m, int cpu);
bool cpus_hold(const struct cpu_mask *m, int cpu);

/*
 * Writes the CPUs of the set into `list` in ascending order, and returns their number. The list
 * must have room for all of them.
 */
unsigned cpus_list(const struct cpu_mask *m, int *list);

unsigned cpus_count(const struct cpu_mask *m);

/*
 * Moves the pages that wait in the CPUs' batches to their LRU lists. move_pages(2) drains the
 * batches of all CPUs first (mm/migrate.c do_pages_move()), even if it is given no page. Does
 * nothing if the kernel refuses the call.
 */
void cpus_drain_lists(void);

#endif
