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
	int64_t kb[CHARGE_NUMBERS]; /* -1 if this kernel does not print the number */
};

/*
 * Reads memory.stat and memory.swap.current of the cgroup in that directory. A missing number is
 * -1, but missing swap is 0.
 */
void charge_take(struct charge *c, const char *cgroup);

/* Returns the largest lag of memory.stat in pages: two batches of 64 pages for each CPU. */
int64_t charge_lag(int cpus);

struct charge_difference {
	const char *name;
	int64_t before, now; /* kB */
};

/* By how many kB a charge may exceed the earlier one. */
struct charge_slack {
	int64_t anon; /* anonymous memory and swap: the worker's own pages are charged here when
			 they are copied, and may be swapped out */
	int64_t lag;  /* mapped program text, which lags even after settling */
	int64_t few;  /* stacks, page tables and LRU lists, which fall with a delay */
	int64_t rest;
};

/*
 * True if a charge exceeds `before` by more than its slack; *d is then the first such charge. Call
 * it after everything is unmapped and closed.
 */
bool charge_left_behind(const struct charge *before, const struct charge *now,
			const struct charge_slack *slack, struct charge_difference *d);

/* By how many kB each charge must have risen at least. */
struct charge_least {
	int64_t anon, swap, shmem, anon_thp, shmem_thp, file_thp;
};

/*
 * True if a charge has risen by less than *least. Huge pages (*_thp) are not checked up to 5.10,
 * where they are counted in batches.
 */
bool charge_falls_short(const struct charge *before, const struct charge *now,
			const struct charge_least *least, struct charge_difference *d);

#endif
