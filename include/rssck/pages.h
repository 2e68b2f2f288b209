// SPDX-License-Identifier: MIT
/*
 * The page frames of a process, with how many page tables map each: for cases
 * that count unique pages. Needs the right to see PFNs.
 */
#ifndef RSSCK_PAGES_H
#define RSSCK_PAGES_H

#include <rssck/host.h>
#include <rssck/snapshot.h>

struct page {
	uint64_t address; /* where the process sees it */
	uint64_t pfn;
	int64_t mapcount; /* /proc/kpagecount; -1 where unreadable */
};

/*
 * Collect the resident pages of every mapping of s into s->pages. Returns 0,
 * or -1 where page frames cannot be seen (s->pages stays NULL).
 */
int pages_collect(struct snapshot *s, const struct host *h);

/* How many different page frames these hold together, by address range of each (inclusive,
 * exclusive). */
int64_t pages_unique(const struct snapshot *const *s, size_t nr, uint64_t start, uint64_t end);

#endif
