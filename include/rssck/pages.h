// SPDX-License-Identifier: MIT
/*
 * The page frames of a process, and how many page table entries map each, for cases that count
 * distinct frames. Needs permission to see PFNs.
 */
#ifndef RSSCK_PAGES_H
#define RSSCK_PAGES_H

#include <rssck/host.h>
#include <rssck/snapshot.h>

struct page {
	uint64_t address; /* in the process's address space */
	uint64_t pfn;
	int64_t mapcount; /* from /proc/kpagecount; -1 if it cannot be read */
};

/*
 * Sets s->pages to the present pages of all mappings whose Rss is not 0, if their PFNs are visible;
 * to NULL if there are none. Returns 0, or -1 if pagemap cannot be opened.
 */
int pages_collect(struct snapshot *s, const struct host *h);

/* Returns the number of distinct page frames of these snapshots in [start, end). */
int64_t pages_unique(const struct snapshot *const *s, size_t nr, uint64_t start, uint64_t end);

#endif
