// SPDX-License-Identifier: MIT
/*
 * What kpageflags and kpagecount say of the page frames of a process: the
 * frames.* counts of each mapping, and the class of those pages that the page
 * tables leave open. Frames are gathered, so that neighbours share a read.
 */
#ifndef RSSCK_FRAMES_H
#define RSSCK_FRAMES_H

#include <rssck/source.h>

/* A present page that waits for its flags. */
struct page_frame {
	struct mapping *m;
	bool unclear;   /* it is in none of m->pagemap.of[] yet */
	bool exclusive; /* by its page table entry */
};

struct page_frames {
	const struct host *h;
	bool counted; /* kpagecount can be read, and all that were added are in m->frames[] */
	struct source_error *e;
	size_t nr;
	struct page_frame *of;
	uint64_t *pfns, *flags, *counts;
	uint64_t tail, head_flags; /* the last tail page whose head was looked up; 0: none */
};

/* Returns 0, or -1: no memory. `e` says why the frames cannot be counted. */
int page_frames_open(struct page_frames *f, const struct host *h, struct source_error *e);
void page_frames_close(struct page_frames *f);

/*
 * Look a frame up, now or later; all that wait, now. Both return 0, or a
 * negative errno where the class of a page remains unclear.
 */
int page_frames_add(struct page_frames *f, uint64_t pfn, struct page_frame frame);
int page_frames_flush(struct page_frames *f);

#endif
