// SPDX-License-Identifier: MIT
/* A worker's counters after all of its regions are unmapped: as before the first of them. */
#ifndef RSSCK_ATLAS_REST_H
#define RSSCK_ATLAS_REST_H

#include <rssck/model.h>
#include <rssck/snapshot.h>
#include <stdbool.h>

enum { REST_NUMBERS = 10 };

struct rest_difference {
	enum metric_id id;
	int64_t before, now; /* in the metric's own unit */
};

/* The counters of a process. 0, or -1: it is gone. */
int rest_take(struct values *v, pid_t pid);

/*
 * Whether one of them has changed; a `settled` counter does not lag, others may, as their models
 * say. `reclaimed`: the kernel has looked for memory to take, so some of the worker's own pages
 * may be on swap; they are missing in RssAnon then.
 */
bool rest_differs(const struct values *before, const struct values *now, const struct models *m,
		  bool settled, bool reclaimed, struct rest_difference *d);

/* Pages that the machine has scanned because a node was short of memory; -1: not known. */
int64_t rest_scanned(void);

#endif
