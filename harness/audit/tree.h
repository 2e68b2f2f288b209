// SPDX-License-Identifier: MIT
/*
 * A program with all its processes and threads: found, held still, and let go.
 *
 * They are held by ptrace(2), thread by thread: PTRACE_SEIZE and PTRACE_INTERRUPT send no
 * signal, so a thread that was stopped stays stopped when it is let go, no parent is told,
 * and if we die the kernel lets all of them go.
 */
#ifndef RSSCK_AUDIT_TREE_H
#define RSSCK_AUDIT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

enum standing {
	STANDING_RUNS,  /* it may run: we could not stop it in time, or may not */
	STANDING_RESTS, /* not ours to stop, but it waits: a vfork(2) for its child, or asleep */
	STANDING_HELD,
};

struct thread {
	pid_t tid, pid;
	enum standing standing;
	bool seized;
	int signal; /* that it was about to get: it gets it when it is let go */
};

struct held {
	pid_t pid, parent;
	unsigned threads;
	bool still;  /* each of its threads is held, or rests */
	bool denied; /* we may not hold it: another user's, or somebody traces it */
	bool ended;  /* a zombie: it has no memory */
};

struct tree {
	pid_t command; /* our child; 0 once it has ended */
	int status;    /* of wait(2), then */
	struct rusage usage;
	struct thread *threads; /* owned, with room for `thread_room` */
	size_t nr_threads, thread_room;
	struct held *members; /* owned: of the last tree_hold() */
	size_t nr_members, member_room;
	bool whole; /* all that were found stand still, and nothing new came */
};

/*
 * Find all descendants of this process and hold them, waiting for those that are in the
 * kernel's hands `limit_ms` at most. This process must be the reaper of their orphans
 * (PR_SET_CHILD_SUBREAPER), and have one thread that calls these functions.
 */
void tree_hold(struct tree *t, int64_t limit_ms);
void tree_release(struct tree *t);

/* Take what wait(2) has: ends, stops of those that were let go too late. */
void tree_reap(struct tree *t);

/* How many descendants are there that have not ended. */
size_t tree_count(struct tree *t);

void tree_free(struct tree *t);

#endif
