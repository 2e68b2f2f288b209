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

enum balance_id {
	BALANCE_PAGES,
	BALANCE_PLACES,
	BALANCE_FOREIGN,
	BALANCE_COMPACTIONS,
	BALANCE_SUMS
};

struct balance {
	bool known; /* the kernel has the files */
	struct balance_sum {
		int64_t value;
		unsigned agreed; /* so many readings in a row have had this value */
		bool missing;    /* the kernel has no such counters */
		bool broken;     /* a case has failed for it */
	} of[BALANCE_SUMS];
	int64_t managed;   /* pages of memory */
	int64_t compacted; /* pages that compaction took, partly from the lists of free pages */
};

/*
 * Reads the sums. As others act between two files, and a CPU may stand still in the middle of an
 * allocation, it reads until each sum is that of `before` (NULL: none) or the same in some readings
 * in a row, with pauses. The caller frees the result.
 */
struct balance *balance_read(const struct balance *before);

/* Returns by how much a sum has changed without an explanation; 0: not, or it is not known. */
int64_t balance_change(const struct balance *before, const struct balance *now, enum balance_id id);

/* Writes a sentence on how the sum has changed. */
void balance_say(enum balance_id id, int64_t change, char *why, size_t size);

#endif
