// SPDX-License-Identifier: MIT
/* Taking a snapshot. */
#ifndef RSSCK_SNAPSHOT_TAKE_H
#define RSSCK_SNAPSHOT_TAKE_H

#include <rssck/source.h>

/*
 * Takes all sources of one process, repeatedly until it stands still meanwhile: for 5 s, then
 * s->moved says what moved. Reads that fail are noted in s->error; -1 only if the process is gone.
 */
int snapshot_take(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * The same with a single reading: for a process that is stopped and must not wait. s->moved says
 * what others changed meanwhile: sharing, write-back.
 */
int snapshot_look(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * The same without what shows that it stood still: for who knows it, and looks again where
 * something disagrees. `without`: bits of sources that are left out, 1 << SOURCE_NUMA.
 */
int snapshot_glance(struct snapshot *s, pid_t pid, const struct host *h, unsigned without);

/*
 * For a process that was read before and has stood still since: reads counters and smaps_rollup
 * again into *s. True if the rollup is unchanged: then smaps and the page tables, which it sums,
 * need no second reading. False: *s shows two moments; take it again.
 */
bool snapshot_refresh(struct snapshot *s);

/* The counters alone (stat, statm, status): cheap, for staircases. */
int counters_take(struct values *v, pid_t pid, struct source_error *e);

#endif
