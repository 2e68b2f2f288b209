// SPDX-License-Identifier: MIT
/* The numbers of a machine on which nothing else runs: a guest of rssck vm. */
#ifndef RSSCK_FUZZ_ALONE_H
#define RSSCK_FUZZ_ALONE_H

#include "ledger.h"

enum { ALONE_LINES = 10, ALONE_COUNTS = 9 };

struct alone {
	bool known;                  /* false: other processes run here, and their pages are
				      * counted, too */
	int64_t of[ALONE_LINES];     /* lines of meminfo; -1: missing */
	int64_t below[ALONE_COUNTS]; /* counts of vmstat that are negative: the amount below 0; else
				      * 0 */
};

/*
 * Allows some hugetlb pages and large pages of shared memory in a guest of rssck vm, which
 * has none by default, unless something else was set. Does nothing outside a guest.
 */
void alone_prepare(void);

void alone_read(struct alone *m);

/* Takes a record of the kernel log: "4,1234,5678,-;vmstat_refresh: nr_shmem_hugepages -512". */
void alone_read_record(struct alone *m, const char *record);

/*
 * Compares two readings at which nothing of ours is mapped: true if they are equal, else *d says
 * which number is not.
 */
bool alone_is_as_before(const struct alone *before, const struct alone *now, struct discrepancy *d);

#endif
