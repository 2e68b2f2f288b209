// SPDX-License-Identifier: MIT
/* One reading of the worker gives the texts of all its regions. */
#ifndef RSSCK_ATLAS_LOOK_H
#define RSSCK_ATLAS_LOOK_H

#include "agent/side.h"
#include <rssck/discrepancy.h>
#include <rssck/source.h>

enum { VIEW_TEXT = 16 << 10 };

/* Text that does not fit is dropped. */
struct view {
	size_t length;
	char text[VIEW_TEXT];
};

struct look {
	struct host *host;
	struct kept_tables kept[2]; /* the page table entries that were read from each process */
	struct snapshot before[2];  /* the snapshots of the previous reading */
	struct snapshot of[2];      /* the worker and its child; .pid is 0 if there is no child */
	struct view views[SIDE_WINDOWS];
	int64_t markers[2]; /* entries that are neither page, swap entry nor guard, recognized by
			     * the type in their PFN bits; 0 if PFNs are hidden */
	int64_t guarded[2]; /* guard markers that userfaultfd protects */
	int64_t empty; /* pages with an empty entry that only a scan for one category finds; see
			  ask_agrees() */
};

enum care {
	LOOK_QUICK,   /* all but oom_score and the files that repeat numbers of other files: statm,
			 smaps_rollup, numa_maps */
	LOOK_ALL,     /* all but oom_score */
	LOOK_CAREFUL, /* everything; reuses nothing from the previous reading; all processes must
			 stay stopped */
};

/*
 * Reads the sources of the worker and of its child. Returns -1 if a process has ended or has run
 * during the reading (its snapshot says which), else 0.
 */
int look_take(struct look *l, pid_t worker, const struct side *side, enum care care);

/* Makes the text of each region from the last reading. */
void look_views(struct look *l, const struct side *side);

void look_free(struct look *l);

/* A 64-bit hash of a text, never 0. */
uint64_t view_hash(const char *text, size_t length);

/*
 * Repeats PAGEMAP_SCAN for one category at a time, because the kernel answers some of these queries
 * with separate code (pagemap_scan_pmd_entry()). Returns true if each of these scans finds the same
 * pages as the earlier scan for all categories, or if there is nothing to compare; wpallowed and
 * guard are left out. Otherwise *d describes the first difference, and l->empty is the number of
 * empty entries among the pages that only the single scan has found; 0 if it has missed a page.
 * Adds the number of comparisons to *nr.
 */
bool ask_agrees(struct look *l, unsigned process, uint64_t *nr, struct discrepancy *d);

#endif
