// SPDX-License-Identifier: MIT
/*
 * The grid: the effect of each act on each kind of memory. rssck atlas --grid records it on one
 * kernel ("rssck-grid/1").
 */
#ifndef RSSCK_GRID_H
#define RSSCK_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GRID_SCHEMA "rssck-grid/1"

/* The recorded numbers of a region, in kB except for the first two. */
enum grid_column {
	GRID_ERRNO,   /* the error of a refused act; 0: the act succeeded */
	GRID_SIGNALS, /* pages whose access raised a signal or failed with EFAULT */
	GRID_SIZE,
	GRID_ANON,
	GRID_FILE,
	GRID_SHMEM,
	GRID_HUGETLB,
	GRID_PSS,
	GRID_VMSWAP, /* swap entries in its page tables */
	GRID_SWAP,   /* smaps' Swap, which includes swapped shmem */
	GRID_VMLCK,
	GRID_DIRTY,
	GRID_SOFT, /* soft-dirty, if clear_refs 4 is written directly before the act */
	GRID_LAZYFREE,
	GRID_TABLES,
	GRID_CGROUP,      /* anon plus file of its cgroup's memory.stat, minus their sum before the
			     region existed */
	GRID_CGROUP_SWAP, /* its cgroup's swap, minus the swap before the region existed */
	GRID_COLUMNS,
};

enum { GRID_ALL_COLUMNS = (1 << GRID_COLUMNS) - 1 };

enum { GRID_NAME = 32, GRID_KINDS = 80, GRID_ACTS = 96 };

struct grid_cell {
	bool known;
	int64_t of[GRID_COLUMNS];
};

struct grid {
	char release[96], machine[32];
	long page_size;
	unsigned columns; /* bits of the columns that were recorded */
	unsigned nr_kinds, nr_acts;
	char kinds[GRID_KINDS][GRID_NAME], acts[GRID_ACTS][GRID_NAME];
	struct grid_cell before[GRID_KINDS]; /* each kind before any act */
	struct grid_cell after[GRID_KINDS][GRID_ACTS];
};

/* Returns 0, or -1 with errno. */
int grid_write(const struct grid *g, FILE *out);

/* Returns 0, or -1 with a sentence in `why`. */
int grid_load(struct grid *g, const char *path, char *why, size_t size);

#endif
