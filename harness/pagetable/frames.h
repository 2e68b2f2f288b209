// SPDX-License-Identifier: MIT
/*
 * Reads kpageflags and kpagecount for a process's page frames. They give the frames.* counts of
 * each mapping, and the class of pages whose page table entry does not show it. Frames are
 * collected first, so that one read covers neighbouring frames.
 */
#ifndef RSSCK_FRAMES_H
#define RSSCK_FRAMES_H

#include <rssck/source.h>

/* A present page whose flags have not been read yet. */
struct page_frame {
	struct mapping *m;
	bool unclear;   /* its class is unknown, so m->pagemap.of[] does not count it yet */
	bool exclusive; /* its page table entry has PM_MMAP_EXCLUSIVE */
};

struct page_frames {
	const struct host *h;
	bool counted; /* every lookup so far could read kpageflags and kpagecount, so m->frames[]
		       * includes the pages that were looked up */
	struct source_error *e;
	size_t nr;
	struct page_frame *of;
	uint64_t *pfns, *flags, *counts;
	uint64_t tail, head_flags; /* the tail page whose head was looked up last, and its head's
				    * flags; 0: none */
};

/*
 * Returns 0, or -1 if there is no memory. *e receives the reason if the frames of a later lookup
 * cannot be counted.
 */
int page_frames_open(struct page_frames *f, const struct host *h, struct source_error *e);
void page_frames_close(struct page_frames *f);

/*
 * page_frames_add() may delay the lookup of a frame; page_frames_flush() looks up all delayed
 * frames. Both return 0, or a negative errno if the class of a page cannot be found.
 */
int page_frames_add(struct page_frames *f, uint64_t pfn, struct page_frame frame);
int page_frames_flush(struct page_frames *f);

#endif
