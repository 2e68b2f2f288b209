// SPDX-License-Identifier: MIT
/*
 * What the two walkers of page tables share: which mappings to walk, and how
 * to ask PAGEMAP_SCAN.
 */
#ifndef RSSCK_SOURCE_WALK_H
#define RSSCK_SOURCE_WALK_H

#include <rssck/source.h>

#define SCAN_GUARD (1 << 8) /* PAGE_IS_GUARD: guard regions, 6.15 */

enum { FRAMES_AT_ONCE = 512 };

/* Page frames on their way to kpageflags and kpagecount. */
struct frames {
	const struct host *h;
	struct mapping *m; /* what they are counted for */
	struct source_error *e;
	uint64_t pfns[FRAMES_AT_ONCE];
	size_t nr;
	uint64_t flags[FRAMES_AT_ONCE], counts[FRAMES_AT_ONCE];
	uint64_t tail, head_flags; /* the last tail page whose head was looked up; 0: none */
};

/* Look a frame up, now or with its neighbours; all that wait, now. Both return 0 or -1. */
int frames_look_up(struct frames *f, uint64_t pfn);
int frames_flush(struct frames *f);

/* An open PAGEMAP_SCAN. */
struct scanner {
	int fd;
	struct scan_region *regions;
	size_t nr_regions;
	uint64_t return_mask;
};

/* Returns 0 or a negative errno. */
int scanner_open(struct scanner *sc, int fd, size_t nr_regions);
void scanner_close(struct scanner *sc);

/*
 * Call found() for every range of [start, end) with a page or a swap entry.
 * Returns 0, a negative errno, or what found() returned if not 0.
 */
int scanner_run(struct scanner *sc, uint64_t start, uint64_t end,
		int (*found)(const struct scan_region *r, void *arg), void *arg);

/* False for the gate page, which no walker reaches. */
bool mapping_is_walkable(const struct mapping *m);

/*
 * True for a mapping that is too large to read entry by entry, eight bytes a
 * page, where there is another way: sanitizers and runtimes reserve terabytes.
 */
bool mapping_is_large(const struct mapping *m);

/* True if smaps was read and says that the mapping holds nothing; zero pages it does not see. */
bool mapping_is_empty(const struct mapping *m);

#endif
