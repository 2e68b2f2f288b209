// SPDX-License-Identifier: MIT
/* The charges of the worker's own cgroup. */
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
	int64_t kb[CHARGE_NUMBERS]; /* -1: this kernel does not print it */
};

/* Reads memory.stat and memory.swap.current in that folder; absent numbers are -1. */
void charge_take(struct charge *c, const char *cgroup);

/* The most by which memory.stat lags, in pages: a batch for each CPU, and a batch for all. */
int64_t charge_lag(int cpus);

struct charge_difference {
	const char *name;
	int64_t before, now; /* kB */
};

/* How much more may be charged than before, in kB. */
struct charge_slack {
	int64_t anon; /* the worker's own pages are charged to it when they are copied, and reclaim
		       * moves them to swap */
	int64_t lag;  /* for numbers that lag even after settling: mapped text */
	int64_t few;  /* for numbers that fall later: stacks, page tables, LRU lists */
	int64_t rest;
};

/* True if more is charged than before, after everything has been unmapped and closed. */
bool charge_left_behind(const struct charge *before, const struct charge *now,
			const struct charge_slack *slack, struct charge_difference *d);

/* The smallest charge since then, in kB. */
struct charge_least {
	int64_t anon, swap, shmem, anon_thp, shmem_thp, file_thp;
};

/* True if less is charged than that. Up to 5.10 huge pages are counted in batches: not checked. */
bool charge_falls_short(const struct charge *before, const struct charge *now,
			const struct charge_least *least, struct charge_difference *d);

#endif
