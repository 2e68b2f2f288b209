// SPDX-License-Identifier: MIT
/* The numbers of a machine on which nothing else runs: a guest of rssck vm. */
#ifndef RSSCK_FUZZ_ALONE_H
#define RSSCK_FUZZ_ALONE_H

#include "ledger.h"

enum { ALONE_BOOKS = 10, ALONE_COUNTS = 9 };

struct alone {
	bool known;                  /* false: others are here, whose pages it counts, too */
	int64_t of[ALONE_BOOKS];     /* lines of meminfo; -1: not there */
	int64_t below[ALONE_COUNTS]; /* counts of vmstat that are below 0: by so much; else 0 */
};

/*
 * A guest of rssck vm has no hugetlb pages and no large ones of shared memory, as kernels are by
 * default: where nobody has set anything else, there shall be some. Elsewhere nothing is done.
 */
void alone_prepare(void);

void alone_read(struct alone *m);

/* A record of the kernel log: "4,1234,5678,-;vmstat_refresh: nr_shmem_hugepages -512". */
void alone_hear(struct alone *m, const char *record);

/* Nothing of ours is mapped at both: they say the same, or *d says which does not. */
bool alone_is_as_before(const struct alone *before, const struct alone *now, struct discrepancy *d);

#endif
