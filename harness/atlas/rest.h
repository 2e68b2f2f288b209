// SPDX-License-Identifier: MIT
/*
 * Compares a worker's counters after all its regions are unmapped with its counters before the
 * first region.
 */
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

/* Reads the counters of a process. Returns 0, or -1 if the process has ended. */
int rest_take(struct values *v, pid_t pid);

/*
 * True if a counter has changed by more than it may lag; *d describes the first one. If `settled`
 * and not `reclaimed`, counters do not lag, except VmSwap if it is a per-CPU counter; otherwise
 * each may lag by its model's bound. A counter whose model is unknown may always lag by any amount.
 * `reclaimed` means that the kernel has reclaimed memory: some of the worker's own pages may be on
 * swap instead of in RssAnon, and kswapd's CPU may hold back counts.
 */
bool rest_differs(const struct values *before, const struct values *now, const struct models *m,
		  bool settled, bool reclaimed, struct rest_difference *d);

/* Returns how many pages kswapd and direct reclaim have scanned; -1 if unknown. */
int64_t rest_scanned(void);

#endif
