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
 * say.
 */
bool rest_differs(const struct values *before, pid_t pid, const struct models *m, bool settled,
		  struct rest_difference *d);

#endif
