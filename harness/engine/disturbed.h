// SPDX-License-Identifier: MIT
/*
 * Detects whether other processes disturbed this machine's memory while a case ran. Reclaim takes
 * pages; compaction and dropped caches cause faults. Numbers that moved meanwhile prove nothing.
 */
#ifndef RSSCK_ENGINE_DISTURBED_H
#define RSSCK_ENGINE_DISTURBED_H

#include <rssck/host.h>

enum { DISTURBANCES = 8, DISTURBED_GROUPS = 16 };

/*
 * The counts of the events since boot (pages, or times), and for this process's cgroup and each of
 * its parents, how often it has reached its limit (memory.max or memory.high), and how many of its
 * processes the OOM killer has killed.
 */
struct disturbances {
	/*
	 * of_machine[i] is the line of vmstat that shows the event. The event counts only if
	 * with[i], a second line, has risen, too; with[i] is 0 if the event needs none.
	 */
	int64_t of_machine[DISTURBANCES], with[DISTURBANCES];
	int64_t of_group[DISTURBED_GROUPS], killed[DISTURBED_GROUPS];
};

void disturbances_read(struct disturbances *d);

/*
 * True if an event has happened since `before` that a case with those flags does not cause itself.
 * `why` then names the event.
 */
bool disturbed_since(const struct disturbances *before, unsigned flags, char *why, size_t size);

#endif
