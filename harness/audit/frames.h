// SPDX-License-Identifier: MIT
/*
 * Compares each page frame's mapcount with the number of entries that map it, over all processes
 * together.
 */
#ifndef RSSCK_AUDIT_FRAMES_H
#define RSSCK_AUDIT_FRAMES_H

#include <rssck/host.h>
#include <rssck/snapshot.h>
#include <rssck/verdict.h>
#include <stdbool.h>

/* Numbers of page frames. */
struct frames_found {
	size_t compared;
	int64_t mapped_more; /* frames with more entries than kpagecount shows */
	int64_t lost;   /* anonymous frames with fewer entries, in all processes, than kpagecount
			   shows */
	bool moved;     /* pages moved during the reading; determined only if a number differs */
	int64_t others; /* frames not compared: of large folios and hugetlb, merged by KSM, the zero
			   page, without a struct page, or not shown as mapped */
};

/*
 * Returns the page frame numbers of all pages of the snapshots, as often as they are mapped, and
 * their number in *n. The caller frees them.
 */
uint64_t *frames_of(struct snapshot *const *s, size_t nr, size_t *n);

/*
 * Each snapshot must be of another address space, and no further process may share their anonymous
 * pages. Returns 0, or -1 if the frames cannot be read.
 */
int frames_compare(struct snapshot *const *s, size_t nr, const struct host *h,
		   struct frames_found *found);

#endif
