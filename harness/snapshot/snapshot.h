// SPDX-License-Identifier: MIT
/* Takes a snapshot of a process. */
#ifndef RSSCK_SNAPSHOT_TAKE_H
#define RSSCK_SNAPSHOT_TAKE_H

#include <rssck/source.h>

/*
 * Reads all sources of one process. Reads them again until the process did not move during a
 * reading and its numbers agree. If the process still moves after 5 s and 12 readings, the next
 * reading is kept, and s->moved names what moved; if that is a thread that ran, *s has no numbers.
 * If only the numbers disagree, the 13th reading is kept, or the 4th if only the counts of the
 * frames do. Read errors are stored in s->error. Returns -1 if the process is gone, otherwise 0.
 */
int snapshot_take(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * Like snapshot_take(), but with a single reading, so that a stopped process waits only briefly.
 * s->moved names what changed meanwhile (sharing or write-back by other processes). If a thread
 * ran, s->moved names it, and no number was read. Returns like snapshot_take().
 */
int snapshot_look(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * Like snapshot_look(), but without checking that the process did not move. The caller makes sure
 * that it does not, and reads again if numbers disagree. `without` has a bit 1 << SOURCE_... for
 * each of stat, statm, status, smaps_rollup, numa_maps and oom_score to leave out. Returns 0, or -1
 * with an empty *s if smaps cannot be read.
 */
int snapshot_read_part(struct snapshot *s, pid_t pid, const struct host *h, unsigned without);

/*
 * Updates a snapshot of a process that has not moved since: reads the counters and smaps_rollup
 * again. Returns true if no thread runs and smaps_rollup is unchanged; then smaps and the page
 * tables need no second reading, because smaps_rollup sums them. Returns false if *s may be out of
 * date and must be taken again; its counters are then the old ones.
 */
bool snapshot_refresh(struct snapshot *s);

/*
 * Reads only the counters (stat, statm, status). This is cheap enough for each point of a
 * staircase. Returns 0, or -1 with the reason in *e.
 */
int counters_take(struct values *v, pid_t pid, struct source_error *e);

#endif
