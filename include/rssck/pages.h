// SPDX-License-Identifier: MIT
/*
 * The page frames of a process, and how many page tables map each, for cases that count different
 * frames. Needs permission to see PFNs.
 */
#ifndef RSSCK_PAGES_H
#define RSSCK_PAGES_H

#include <rssck/host.h>
#include <rssck/snapshot.h>

struct page {
	uint64_t address; /* address in the process */
	uint64_t pfn;
	int64_t mapcount; /* /proc/kpagecount; -1 if it cannot be read */
};

/*
 * Collects into s->pages the present pages, with a visible frame, of every mapping of s whose Rss
 * is not 0. s->pages is NULL if there are none, as when page frames are hidden. Returns 0, or -1 if
 * pagemap cannot be opened.
 */
int pages_collect(struct snapshot *s, const struct host *h);

/*
 * Returns the number of different page frames that these snapshots have in an address range (start
 * inclusive, end exclusive).
 */
int64_t pages_unique(const struct snapshot *const *s, size_t nr, uint64_t start, uint64_t end);

#endif
