// SPDX-License-Identifier: MIT
/*
 * Sums of the kernel's counters that no act changes, whoever acts: each page that was allocated and
 * not freed is missing from the free pages, each allocation came from the wanted node or from
 * another. Other processes need not stand still for that, so the sums are compared around each
 * case.
 */
#ifndef RSSCK_ENGINE_BALANCE_H
#define RSSCK_ENGINE_BALANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum balance_sum {
	BALANCE_PAGES,
	BALANCE_NUMA,
	BALANCE_FOREIGN,
	BALANCE_COMPACTIONS,
	NR_BALANCE_SUMS
};

struct balance {
	bool known; /* false: the kernel lacks a file, or no readings agreed */
	int64_t of[NR_BALANCE_SUMS];
	int64_t missing;   /* the sums whose counters the kernel does not print, a bit for each */
	int64_t managed;   /* pages of memory */
	int64_t compacted; /* pages that compaction took, partly from the lists of free pages */
};

/*
 * Reads the sums. As others allocate between two files, and a CPU may stand still in the middle of
 * an allocation, it reads until one reading agrees with `before` (NULL: none), or some in a row
 * agree, with pauses. The caller frees the result.
 */
struct balance *balance_read(const struct balance *before);

/* Returns by how much the sum has changed without an explanation; 0: not, or it is not known. */
int64_t balance_change(const struct balance *before, const struct balance *now,
		       enum balance_sum sum);

/* Writes a sentence on how the sum has changed. */
void balance_say(enum balance_sum sum, int64_t change, char *why, size_t size);

#endif
