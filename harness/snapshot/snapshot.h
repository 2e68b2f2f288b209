// SPDX-License-Identifier: MIT
/* Taking a snapshot. */
#ifndef RSSCK_SNAPSHOT_TAKE_H
#define RSSCK_SNAPSHOT_TAKE_H

#include <rssck/source.h>

/*
 * Takes all sources of one process, repeatedly until it stands still during a reading, for at most
 * 5 s; after that s->moved names what moved. Failed reads are noted in s->error; returns -1 only
 * if the process is gone.
 */
int snapshot_take(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * The same with a single reading, for a process that is stopped and must not wait. s->moved
 * names what other processes changed meanwhile: sharing, write-back.
 */
int snapshot_look(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * The same without checking that the process stood still: for callers that know it, and
 * read again if numbers disagree. `without` has bits 1 << SOURCE_... of the sources to
 * leave out.
 */
int snapshot_read_part(struct snapshot *s, pid_t pid, const struct host *h, unsigned without);

/*
 * For a process that was read before and has stood still since: reads the counters and
 * smaps_rollup again into *s. True if the rollup is unchanged: then smaps and the page tables,
 * which it sums, need no second reading. False: *s mixes two moments; take it again.
 */
bool snapshot_refresh(struct snapshot *s);

/* Reads only the counters (stat, statm, status): cheap, for staircases. */
int counters_take(struct values *v, pid_t pid, struct source_error *e);

#endif
