// SPDX-License-Identifier: MIT
/*
 * The effects of other processes on the memory of this machine while a case ran: reclaim takes
 * pages, compaction and dropped caches cause faults. A number that moved at the same time
 * proves nothing.
 */
#ifndef RSSCK_ENGINE_DISTURBED_H
#define RSSCK_ENGINE_DISTURBED_H

#include <rssck/host.h>

enum { DISTURBANCES = 8, DISTURBED_GROUPS = 16 };

/*
 * How often each has happened since the machine started, and how often each cgroup has reached
 * its limit.
 */
struct disturbances {
	int64_t of_machine[DISTURBANCES], with[DISTURBANCES]; /* with: a second line of it */
	int64_t of_group[DISTURBED_GROUPS], killed[DISTURBED_GROUPS];
};

void disturbances_read(struct disturbances *d);

/*
 * True if any has happened since `before` that a case with those flags does not cause itself;
 * then `why` has a clause that names it.
 */
bool disturbed_since(const struct disturbances *before, unsigned flags, char *why, size_t size);

#endif
