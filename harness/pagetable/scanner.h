// SPDX-License-Identifier: MIT
/* Calls PAGEMAP_SCAN, range by range. */
#ifndef RSSCK_SCANNER_H
#define RSSCK_SCANNER_H

#include <rssck/source.h>

#define SCAN_GUARD (1 << 8) /* PAGE_IS_GUARD: guard regions; 6.16 has it, 6.12 does not */

/* A pagemap file and a vector for its ranges. */
struct scanner {
	int fd;
	struct scan_region *regions;
	size_t nr_regions;
	uint64_t return_mask;
	bool all; /* report ranges with any category, except those with only PAGE_IS_WPALLOWED */
};

/* Returns 0 or a negative errno. */
int scanner_open(struct scanner *sc, int fd, size_t nr_regions);
void scanner_close(struct scanner *sc);

/*
 * Calls found() for each range of [start, end) with pages, swap entries or guard regions; with
 * `all`, for each range that has any category but PAGE_IS_WPALLOWED. Returns 0, a negative errno,
 * or the first value of found() that is not 0.
 */
int scanner_run(struct scanner *sc, uint64_t start, uint64_t end,
		int (*found)(const struct scan_region *r, void *arg), void *arg);

#endif
