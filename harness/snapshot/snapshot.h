// SPDX-License-Identifier: MIT
/* Taking a snapshot. */
#ifndef RSSCK_SNAPSHOT_TAKE_H
#define RSSCK_SNAPSHOT_TAKE_H

#include <rssck/source.h>

/*
 * All sources of one process, read again and again until it stands still meanwhile:
 * for 5 s, then s->moved says what moved. Reads that fail are noted in s->error; -1 only
 * if the process is gone.
 */
int snapshot_take(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * The same, read once: for a process that is stopped, which must not wait. s->moved says what
 * others moved meanwhile: who shares its pages, what is written back.
 */
int snapshot_look(struct snapshot *s, pid_t pid, const struct host *h);

/*
 * The same without what shows that it stood still: for who knows it, and looks again where
 * something disagrees. `without`: bits of sources that are left out, 1 << SOURCE_NUMA.
 */
int snapshot_glance(struct snapshot *s, pid_t pid, const struct host *h, unsigned without);

/*
 * For a process that was read once and has stood still since: counters and smaps_rollup are
 * read again into *s. True if the rollup says what it did: then smaps and the page tables, which
 * it adds up, need no second reading. False: *s is of two moments; take it again.
 */
bool snapshot_refresh(struct snapshot *s);

/* The counters alone (stat, statm, status): cheap, for staircases. */
int counters_take(struct values *v, pid_t pid, struct source_error *e);

#endif
