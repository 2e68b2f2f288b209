// SPDX-License-Identifier: MIT
/* Takes a snapshot of a process. */
#ifndef RSSCK_SNAPSHOT_TAKE_H
#define RSSCK_SNAPSHOT_TAKE_H

#include <rssck/source.h>

/*
 * Reads all sources of one process, and repeats that until the process did not move during a
 * reading. After 5 s it keeps the last reading, and s->moved names what moved. Read errors are
 * stored in s->error. Returns -1 only if the process is gone.
 */
int snapshot_take(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * Like snapshot_take(), but with a single reading, for a stopped process that must not wait.
 * s->moved names what other processes changed meanwhile: sharing, or write-back.
 */
int snapshot_look(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * Like snapshot_look(), but without checking that the process did not move. The caller knows that,
 * and reads again if numbers disagree. `without` has a bit 1 << SOURCE_... for each source to leave
 * out.
 */
int snapshot_read_part(struct snapshot *s, pid_t pid, const struct host *h, unsigned without);

/*
 * Updates a snapshot of a process that has not moved since: reads the counters and smaps_rollup
 * again. Returns true if smaps_rollup is unchanged; then smaps and the page tables need no second
 * reading, because smaps_rollup sums them. Returns false if *s mixes two states and must be taken
 * again.
 */
bool snapshot_refresh(struct snapshot *s);

/*
 * Reads only the counters (stat, statm, status). This is cheap enough for each point of a
 * staircase.
 */
int counters_take(struct values *v, pid_t pid, struct source_error *e);

#endif
