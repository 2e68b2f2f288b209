// SPDX-License-Identifier: MIT
/*
 * A program with all its processes and threads: found, held still, and let go.
 *
 * They are held by ptrace(2), thread by thread: PTRACE_SEIZE and PTRACE_INTERRUPT send no
 * signal, so a thread that was stopped stays stopped when it is let go, no parent is told,
 * and if we die the kernel lets all of them go.
 *
 * Between two holds they are nobody's, unless they are traced from their begin on: then each
 * process stops at its end, while it still has its memory (PTRACE_EVENT_EXIT).
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
	bool leaving; /* it stands at its end, or has been let go from there */
	bool stopped; /* with its whole process, by a signal such as SIGSTOP */
	int signal;   /* that it was about to get: it gets it when it is let go */
};

struct held {
	pid_t pid, parent;
	unsigned threads;
	unsigned users; /* threads of all processes that have its memory: vfork(2), CLONE_VM */
	bool still;     /* each thread that has its memory is held, or rests */
	bool denied;    /* we may not hold it: another user's, or somebody traces it */
	bool ended;     /* a zombie: it has no memory */
};

struct tree {
	pid_t command; /* our child; 0 once it has ended */
	pid_t guard;   /* a child of ours that is no part of the program; 0: there is none */
	bool traced;   /* from its begin on */
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

/*
 * Trace a child of ours that has not begun yet, and all that it starts. Returns 0, or -1 with
 * errno. tree_is_traced(): that was done with the command.
 */
int tree_trace(pid_t pid);
void tree_is_traced(struct tree *t);

/*
 * A traced process that stands at its end, with all its threads; false: there is none. It
 * stands there until tree_let_end().
 */
bool tree_next_end(struct tree *t, struct held *who);
void tree_let_end(struct tree *t, pid_t pid);

/* True if another process has the same memory: after vfork(2), or by clone(2) with CLONE_VM. */
bool tree_shares_memory(const struct tree *t, pid_t pid);

void tree_free(struct tree *t);

#endif
