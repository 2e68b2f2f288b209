// SPDX-License-Identifier: MIT
/* The page frames of all processes together: who maps each, against how often it says it is mapped.
 */
#ifndef RSSCK_AUDIT_FRAMES_H
#define RSSCK_AUDIT_FRAMES_H

#include <rssck/host.h>
#include <rssck/snapshot.h>
#include <rssck/verdict.h>
#include <stdbool.h>

/* What came of it, in page frames. */
struct frames_told {
	size_t compared;
	int64_t mapped_more; /* than kpagecount says */
	int64_t lost;        /* anonymous, and kpagecount says more than all the processes map */
	bool moved;          /* by reclaim or migration, while they were looked at */
	int64_t others;      /* the rest: huge, merged or nobody's, of which neither is said */
};

/*
 * Each snapshot is of another address space, and together they are all that can share an
 * anonymous page of theirs. Returns 0, or -1 where the frames cannot be read.
 */
int frames_tell(struct snapshot *const *s, size_t nr, const struct host *h,
		struct frames_told *told);

#endif
