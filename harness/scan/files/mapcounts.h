// SPDX-License-Identifier: MIT
/* How many page tables map the pages of a process, from kpagecount. */
#ifndef RSSCK_SCAN_MAPCOUNTS_H
#define RSSCK_SCAN_MAPCOUNTS_H

#include "files.h"
#include <rssck/host.h>

/*
 * How often a page is mapped: 1, 2, 3-4, 5-8, 9-16, 17-64, 65 and more; NONE is for the zero page
 * and the like.
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
	double share; /* pages, each divided by how often it is mapped: PSS, before any rounding */
};

extern const char *const mapcounts_titles[MAPCOUNT_COUNT];

/* A page frame that more than one page table maps. */
struct shared_frame {
	uint64_t pfn, mapcount;
	uint32_t file; /* index of the file among those that were counted */
};

struct shared_frames {
	struct shared_frame *of; /* owned; a frame that is mapped twice here is listed twice */
	size_t nr, room;
};

/*
 * Counts the pages of each file of f into of[], which has room for f->nr. Hugetlb pages are left
 * out, as in RSS. Pages that are mapped more than once are added to `shared`, unless it is NULL.
 * Returns 0, or -1 with a sentence in `why`.
 */
int mapcounts_read(struct mapcounts *of, const struct snapshot *s, const struct files *f,
		   const struct host *h, struct shared_frames *shared, char *why, size_t size);

struct mapcounts mapcounts_sum(const struct mapcounts *of, size_t nr);

/* The number of those pages without the zero page. */
int64_t mapcounts_mapped(const struct mapcounts *s);

/* True if smaps was read and the mapping is empty or hugetlb. */
bool mapcounts_leave_out(const struct mapping *m);

/* The column for a page that is mapped that often. */
unsigned mapcount_column(uint64_t mapcount);

#endif
