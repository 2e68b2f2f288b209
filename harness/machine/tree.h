// SPDX-License-Identifier: MIT
/* All memory of a machine by what it is: parts that add up to MemTotal. */
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
	bool frames;                 /* false: by counters alone */
	int64_t compound;            /* of what is unexplained: compound pages */
	int64_t dirty;               /* of the page cache */
	struct frames_group largest; /* cgroup of what carries no flag, in pages */
	char group[200];             /* its path */
	bool named[PART_COUNT];      /* in the first sentence */
};

/* "page cache of files that nobody maps" */
const char *part_words(enum part p);

/* The same; by counters alone nobody knows what is mapped. */
const char *part_words_in(const struct machine_tree *t, enum part p);

/* "cache_unmapped": its name in JSON. */
const char *part_name(enum part p);

/* The kind of holder that is named with it, or HELD_KINDS. */
enum held_kind part_holder(enum part p);

/* True if no process uses it. */
bool part_is_free(enum part p);

/* Add up one reading. `h` may be NULL. */
void machine_tree_make(struct machine_tree *t, const struct machine_reading *r,
		       const struct memory_holders *h);

/* The three sentences: what uses the memory, what could be reclaimed, what is unaccounted for. */
void machine_answer(struct machine_tree *t, const struct memory_holders *h, int64_t page_kb,
		    char sentence[3][SENTENCE]);

#endif
