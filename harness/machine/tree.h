// SPDX-License-Identifier: MIT
/* Splits all memory of a machine into parts that add up to MemTotal. */
#ifndef RSSCK_MACHINE_TREE_H
#define RSSCK_MACHINE_TREE_H

#include "holders.h"
#include "reading.h"

enum part {
	PART_FREE,
	PART_FREE_CPUS,
	PART_UNINITIALISED,
	PART_ANON,
	PART_ANON_UNMAPPED,
	PART_CACHE_MAPPED,
	PART_CACHE_UNMAPPED,
	PART_SHMEM_MAPPED,
	PART_SHMEM_UNMAPPED,
	PART_BATCH,
	PART_HUGETLB_USED,
	PART_HUGETLB_FREE,
	PART_PGTABLE,
	PART_STACKS,
	PART_SLAB_RECLAIMABLE,
	PART_SLAB,
	PART_KMALLOC,
	PART_VMALLOC,
	PART_PERCPU,
	PART_PIPES,
	PART_SOCKETS,
	PART_RINGS,
	PART_ZSMALLOC,
	PART_TRACING,
	PART_POOLS,
	PART_OFFLINE,
	PART_POISON,
	PART_UNEXPLAINED,
	PART_COUNT,
};

enum { SENTENCE = 900 };

struct machine_tree {
	int64_t total;
	int64_t of[PART_COUNT]; /* in kB */
	bool frames;            /* page frames were read; false: the parts are from counters only */
	int64_t compound;       /* compound pages in the unexplained part, in kB */
	int64_t dirty;          /* dirty page cache, and all pages that are being written, in kB */
	int64_t unevictable;    /* page cache that is locked in memory, or of a ramfs, in kB */
	struct frames_group largest; /* the cgroup with the most frames that have no flag */
	char group[200];             /* the path of this cgroup */
	bool named[PART_COUNT];      /* parts that the first sentence names */
};

/* Returns the words of a part: "page cache of files, not mapped". */
const char *part_words(enum part p);

/*
 * Returns the words of a part in this tree. Without page frames, some parts have other words:
 * "mapped or not".
 */
const char *part_words_in(const struct machine_tree *t, enum part p);

/* Returns the name of a part in JSON: "cache_unmapped". */
const char *part_name(enum part p);

/* Returns the kind of holder to print with this part, or HELD_NONE. */
enum held_kind part_holder(enum part p);

bool part_is_free(enum part p);

/* Makes the tree from one reading. `h` may be NULL. */
void machine_tree_make(struct machine_tree *t, const struct machine_reading *r,
		       const struct memory_holders *h);

/*
 * Writes the three sentences: what uses the memory, what reclaim can free, what is unaccounted for.
 */
void machine_answer(struct machine_tree *t, const struct memory_holders *h, int64_t page_kb,
		    char sentence[3][SENTENCE]);

#endif
