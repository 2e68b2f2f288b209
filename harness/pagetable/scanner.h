// SPDX-License-Identifier: MIT
/* Calls PAGEMAP_SCAN. */
#ifndef RSSCK_SCANNER_H
#define RSSCK_SCANNER_H

#include <rssck/source.h>

#define SCAN_GUARD (1 << 8) /* PAGE_IS_GUARD: guard regions, 6.15 */

/* An open PAGEMAP_SCAN. */
struct scanner {
	int fd;
	struct scan_region *regions;
	size_t nr_regions;
	uint64_t return_mask;
	bool all; /* report ranges with any category, except those that have only PAGE_IS_WPALLOWED
		   */
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

#endif
