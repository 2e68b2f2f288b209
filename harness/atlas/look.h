// SPDX-License-Identifier: MIT
/* One reading of the worker serves all regions: it gives the text that each region shows. */
#ifndef RSSCK_ATLAS_LOOK_H
#define RSSCK_ATLAS_LOOK_H

#include "agent/side.h"
#include <rssck/source.h>

enum { VIEW_TEXT = 16 << 10 };

/* A text buffer; what does not fit is dropped. */
struct view {
	size_t length;
	char text[VIEW_TEXT];
};

struct look {
	struct host *host;
	struct kept_tables kept[2]; /* for each process: the page table entries that were read */
	struct snapshot before[2];  /* the snapshots of the previous reading */
	struct snapshot of[2]; /* the worker, and the process beside it; .pid 0: there is none */
	struct view views[SIDE_WINDOWS];
	int64_t markers[2]; /* entries that hold no page, no swap entry and no guard, according to
			     * PFNs */
	int64_t guarded[2]; /* guard markers that userfaultfd protects */
	int64_t empty; /* empty entries among those that PAGEMAP_SCAN finds only with another query
			*/
};

/* How much to read. */
enum care {
	LOOK_QUICK,   /* texts of regions, and numbers that only one file has */
	LOOK_ALL,     /* each file */
	LOOK_CAREFUL, /* everything; nothing is reused from the previous reading, and all processes
		       * must stand still meanwhile */
};

/*
 * Reads the sources of the worker and of the process beside it. Returns 0, or -1: a process is
 * gone, or did not stand still; its snapshot says which.
 */
int look_take(struct look *l, pid_t worker, const struct side *side, enum care care);

/* Makes the text of each region from the last reading. */
void look_views(struct look *l, const struct side *side);

void look_free(struct look *l);

/* 64 bits of a text: equal texts have equal hashes. */
uint64_t view_hash(const char *text, size_t length);

#endif
