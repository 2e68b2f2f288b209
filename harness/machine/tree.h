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

struct tree_part {
	int64_t kb;
	bool known;
};

enum { SENTENCE = 900 };

struct machine_tree {
	int64_t total;
	struct tree_part of[PART_COUNT];
	bool frames;                 /* false: from counters only */
	int64_t compound;            /* compound pages in the unexplained part */
	int64_t dirty;               /* dirty part of the page cache */
	struct frames_group largest; /* the cgroup with the most frames without a flag, in pages */
	char group[200];             /* its path */
	bool named[PART_COUNT];      /* mentioned in the first sentence */
};

/* "page cache of files that no process maps" */
const char *part_words(enum part p);

/* The same, but counters alone do not show what is mapped. */
const char *part_words_in(const struct machine_tree *t, enum part p);

/* "cache_unmapped": its name in JSON. */
const char *part_name(enum part p);

/* The kind of holder to name with this part, or HELD_KINDS. */
enum held_kind part_holder(enum part p);

/* True if no process uses it. */
bool part_is_free(enum part p);

/* Adds up one reading. `h` may be NULL. */
void machine_tree_make(struct machine_tree *t, const struct machine_reading *r,
		       const struct memory_holders *h);

/* The three sentences: what uses the memory, what could be reclaimed, what is unaccounted for. */
void machine_answer(struct machine_tree *t, const struct memory_holders *h, int64_t page_kb,
		    char sentence[3][SENTENCE]);

#endif
