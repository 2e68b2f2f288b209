// SPDX-License-Identifier: MIT
/* Counts how many page tables map the pages of a process, from kpagecount. */
#ifndef RSSCK_SCAN_MAPCOUNTS_H
#define RSSCK_SCAN_MAPCOUNTS_H

#include "files.h"
#include <rssck/host.h>

/*
 * The number of mappings of a page: 1, 2, 3-4, 5-8, 9-16, 17-64, or more. MAPCOUNT_NONE is for the
 * zero page and the like.
 */
enum {
	MAPCOUNT_NONE,
	MAPCOUNT_1,
	MAPCOUNT_2,
	MAPCOUNT_4,
	MAPCOUNT_8,
	MAPCOUNT_16,
	MAPCOUNT_64,
	MAPCOUNT_MANY,
	MAPCOUNT_COUNT
};

struct mapcounts {
	int64_t pages[MAPCOUNT_COUNT];
	double share; /* the sum over all pages of 1 / mapcount: PSS in pages, without rounding */
};

extern const char *const mapcounts_titles[MAPCOUNT_COUNT];

/* A page frame that is mapped more than once. */
struct shared_frame {
	uint64_t pfn, mapcount;
	uint32_t file; /* index of its file */
};

struct shared_frames {
	struct shared_frame *of; /* owned; a frame that the process maps twice is listed twice */
	size_t nr;
};

/*
 * Counts the pages of each file of f into of[], which has room for f->nr elements. Hugetlb pages
 * are left out, as in RSS. Pages that are mapped more than once are added to `shared`, if it is not
 * NULL. Returns 0, or -1 with a message in `why`.
 */
int mapcounts_read(struct mapcounts *of, const struct snapshot *s, const struct files *f,
		   const struct host *h, struct shared_frames *shared, char *why, size_t size);

struct mapcounts mapcounts_sum(const struct mapcounts *of, size_t nr);

/* Returns the number of pages that are mapped: all but MAPCOUNT_NONE. */
int64_t mapcounts_mapped(const struct mapcounts *s);

/* True if smaps was read and shows that the mapping is empty or hugetlb. */
bool mapcounts_leave_out(const struct mapping *m);

/* Returns the column for a page with that mapcount. */
unsigned mapcount_column(uint64_t mapcount);

#endif
