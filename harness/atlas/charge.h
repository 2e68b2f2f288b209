// SPDX-License-Identifier: MIT
/* The memory that is charged to the worker's own cgroup. */
#ifndef RSSCK_ATLAS_CHARGE_H
#define RSSCK_ATLAS_CHARGE_H

#include <stdbool.h>
#include <stdint.h>

enum charge_number {
	CHARGE_ANON,
	CHARGE_FILE,
	CHARGE_SHMEM,
	CHARGE_SWAP,
	CHARGE_FILE_MAPPED,
	CHARGE_ANON_THP,
	CHARGE_SHMEM_THP,
	CHARGE_FILE_THP,
	CHARGE_SWAPCACHED,
	CHARGE_UNEVICTABLE,
	CHARGE_KERNEL_STACK,
	CHARGE_PAGETABLES,
	CHARGE_NUMBERS
};

struct charge {
	bool known, has_swap;
	int64_t kb[CHARGE_NUMBERS]; /* in kB; -1: this kernel does not print the number */
};

/*
 * Reads memory.stat and memory.swap.current in the folder `cgroup`. A missing number is -1, but
 * missing swap is 0.
 */
void charge_take(struct charge *c, const char *cgroup);

/* The largest lag of memory.stat, in pages: two batches of 64 pages for each CPU. */
int64_t charge_lag(int cpus);

struct charge_difference {
	const char *name;
	int64_t before, now; /* kB */
};

/* The amounts by which charges may exceed the earlier ones, in kB. */
struct charge_slack {
	int64_t anon; /* the worker's own pages are charged to its cgroup when they are copied,
		       * and reclaim moves them to swap */
	int64_t lag;  /* for numbers that lag even after settling: mapped program text */
	int64_t few;  /* for numbers that fall with a delay: stacks, page tables, LRU lists */
	int64_t rest;
};

/* After everything is unmapped and closed: true if more is charged than before. */
bool charge_left_behind(const struct charge *before, const struct charge *now,
			const struct charge_slack *slack, struct charge_difference *d);

/* The smallest possible increase of each charge, in kB. */
struct charge_least {
	int64_t anon, swap, shmem, anon_thp, shmem_thp, file_thp;
};

/*
 * True if a charge has increased by less than *least. Huge pages (*_thp) are not checked up to
 * 5.10, where they are counted in batches.
 */
bool charge_falls_short(const struct charge *before, const struct charge *now,
			const struct charge_least *least, struct charge_difference *d);

#endif
