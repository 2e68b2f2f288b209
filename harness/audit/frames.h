// SPDX-License-Identifier: MIT
/*
 * Compares, over all processes together, the number of entries that map each page frame with
 * its mapcount.
 */
#ifndef RSSCK_AUDIT_FRAMES_H
#define RSSCK_AUDIT_FRAMES_H

#include <rssck/host.h>
#include <rssck/snapshot.h>
#include <rssck/verdict.h>
#include <stdbool.h>

/* The result, in page frames. */
struct frames_found {
	size_t compared;
	int64_t mapped_more; /* frames with more entries than kpagecount shows */
	int64_t lost;        /* anonymous frames whose kpagecount is higher than the number of
			      * entries in all processes */
	bool moved;          /* reclaim or migration moved pages while the frames were read */
	int64_t others; /* not compared: huge or merged frames, and those without a struct page */
};

/*
 * Each snapshot is of another address space, and no other process can share their anonymous
 * pages. Returns 0, or -1 if the frames cannot be read.
 */
int frames_compare(struct snapshot *const *s, size_t nr, const struct host *h,
		   struct frames_found *found);

#endif
