// SPDX-License-Identifier: MIT
/* What the worker's own cgroup is charged for. */
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

/* Of memory.stat and memory.swap.current of that folder; not known where there is none. */
void charge_take(struct charge *c, const char *cgroup);

/* What memory.stat lags behind by at the most, in pages: a batch of each CPU's, and of all. */
int64_t charge_lag(int cpus);

struct charge_difference {
	const char *name;
	int64_t before, now; /* kB */
};

/* How much more may be charged than before; in kB. */
struct charge_slack {
	int64_t anon; /* the worker's own pages are charged anew where they are copied, and reclaim
		       * puts them on swap */
	int64_t lag;  /* of what lags even behind a settling: text that is mapped */
	int64_t few;  /* of what takes a moment: stacks, page tables, LRU lists */
	int64_t rest;
};

/* All is unmapped and closed: whether more is charged than before. */
bool charge_left_behind(const struct charge *before, const struct charge *now,
			const struct charge_slack *slack, struct charge_difference *d);

/* What must be charged since then, at least; in kB. */
struct charge_least {
	int64_t anon, swap, shmem, anon_thp, shmem_thp, file_thp;
};

/* Whether less is charged than that. Up to 5.10 huge pages are counted in batches: not checked. */
bool charge_falls_short(const struct charge *before, const struct charge *now,
			const struct charge_least *least, struct charge_difference *d);

#endif
