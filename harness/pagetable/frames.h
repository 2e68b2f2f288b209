// SPDX-License-Identifier: MIT
/*
 * kpageflags and kpagecount of a process's page frames: the frames.* counts of each mapping, and
 * the class of pages that the page tables do not show. Frames are collected, so that one read
 * serves neighbours.
 */
#ifndef RSSCK_FRAMES_H
#define RSSCK_FRAMES_H

#include <rssck/source.h>

/* A present page whose flags have not been read yet. */
struct page_frame {
	struct mapping *m;
	bool unclear;   /* its class is not yet counted in m->pagemap.of[] */
	bool exclusive; /* its page table entry has PM_MMAP_EXCLUSIVE */
};

struct page_frames {
	const struct host *h;
	bool counted; /* kpagecount can be read, and all pages added so far are in m->frames[] */
	struct source_error *e;
	size_t nr;
	struct page_frame *of;
	uint64_t *pfns, *flags, *counts;
	uint64_t tail, head_flags; /* the last tail page whose head was looked up; 0: none */
};

/* Returns 0, or -1 if there is no memory. *e says why the frames cannot be counted. */
int page_frames_open(struct page_frames *f, const struct host *h, struct source_error *e);
void page_frames_close(struct page_frames *f);

/*
 * page_frames_add() looks a frame up, now or later; page_frames_flush() looks up all that are
 * waiting. Both return 0, or a negative errno if the class of a page remains unclear.
 */
int page_frames_add(struct page_frames *f, uint64_t pfn, struct page_frame frame);
int page_frames_flush(struct page_frames *f);

#endif
