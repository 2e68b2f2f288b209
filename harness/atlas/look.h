// SPDX-License-Identifier: MIT
/* One reading of the worker, which serves all regions: what each shows, as text. */
#ifndef RSSCK_ATLAS_LOOK_H
#define RSSCK_ATLAS_LOOK_H

#include "agent/side.h"
#include <rssck/source.h>

enum { VIEW_TEXT = 16 << 10 };

/* Text that grows up to its room; what does not fit is left out. */
struct view {
	size_t length;
	char text[VIEW_TEXT];
};

struct look {
	struct host *host;
	struct kept_tables kept[2]; /* of each process: what was read of its page tables */
	struct snapshot before[2];  /* of the reading before this one */
	struct snapshot of[2]; /* the worker, and the process beside it; .pid 0: there is none */
	struct view views[SIDE_WINDOWS];
	int64_t markers[2]; /* entries that are no page, no swap and no guard, according to PFNs */
	int64_t guarded[2]; /* guards that userfaultfd protects */
	int64_t empty; /* entries, of what PAGEMAP_SCAN finds only if it is asked in another way */
};

/* How much is read. */
enum care {
	LOOK_QUICK,   /* what regions show, and what no other file has */
	LOOK_ALL,     /* each file */
	LOOK_CAREFUL, /* nothing is reused from the reading before, and all must stand still
		       * meanwhile */
};

/*
 * Read the worker's sources, and those of the process beside it. 0, or -1: a process is gone, or
 * did not stand still; its snapshot says which.
 */
int look_take(struct look *l, pid_t worker, const struct side *side, enum care care);

/* What each region shows, of what was taken. */
void look_views(struct look *l, const struct side *side);

void look_free(struct look *l);

/* 64 bits of a text: equal texts have equal hashes. */
uint64_t view_hash(const char *text, size_t length);

#endif
