// SPDX-License-Identifier: MIT
/*
 * A program with all its processes and threads: found, stopped, and released.
 *
 * They are stopped with ptrace(2), thread by thread: PTRACE_SEIZE and PTRACE_INTERRUPT send no
 * signal, so a thread that was stopped before stays stopped when it is released, no parent is
 * notified, and if we die the kernel releases all of them.
 *
 * Between two stops they are not traced, unless they are traced from their start on: then each
 * process stops as it ends, while it still has its memory (PTRACE_EVENT_EXIT).
 */
#ifndef RSSCK_AUDIT_TREE_H
#define RSSCK_AUDIT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

enum standing {
	STANDING_RUNS,  /* it may run: it did not stop in time, or we may not stop it */
	STANDING_RESTS, /* we cannot stop it, but it waits: in vfork(2) for its child, or asleep */
	STANDING_HELD,
};

struct thread {
	pid_t tid, pid;
	enum standing standing;
	bool seized;
	bool leaving; /* it is about to end, or was released at that stop */
	bool stopped; /* stopped with its whole process, by a signal such as SIGSTOP */
	int signal;   /* a signal that was about to be delivered; its release delivers it */
};

struct traced {
	pid_t pid, parent;
	unsigned threads;
	unsigned users; /* number of threads of all processes that share its memory: vfork(2),
			 * CLONE_VM */
	bool still;     /* each thread that shares its memory is stopped or waits */
	bool denied; /* we may not stop it: it is another user's, or is traced by another process */
	bool ended;  /* a zombie: it has no memory */
};

struct tree {
	pid_t command; /* our child; 0 once it has ended */
	pid_t guard;   /* a child of ours that is not part of the program; 0: none */
	bool traced;   /* traced from its start on */
	int status;    /* its status from wait(2) after that */
	struct rusage usage;
	struct thread *threads; /* owned, with room for `thread_room` */
	size_t nr_threads, thread_room;
	struct traced *members; /* owned; members found by the last tree_hold() */
	size_t nr_members, member_room;
	bool whole; /* all processes that were found are stopped, and no new one appeared */
};

/*
 * Finds all descendants of this process and stops them; waits at most `limit_ms` for those in a
 * system call that cannot be interrupted. This process must be the reaper of their orphans
 * (PR_SET_CHILD_SUBREAPER), and call these functions from one thread.
 */
void tree_hold(struct tree *t, int64_t limit_ms);
void tree_release(struct tree *t);

/*
 * Collects what wait(2) reports: exits, and stops of threads that were released before they
 * stopped.
 */
void tree_reap(struct tree *t);

/*
 * tree_trace() traces a child of ours that has not started yet, and everything that it starts;
 * returns 0, or -1 with errno. tree_is_traced() notes that this was done for the command.
 */
int tree_trace(pid_t pid);
void tree_is_traced(struct tree *t);

/*
 * Gets a traced process that is about to end, with all its threads; false: there is none. It stays
 * stopped until tree_let_end().
 */
bool tree_next_end(struct tree *t, struct traced *who);
void tree_let_end(struct tree *t, pid_t pid);

/* True if another process has the same memory: after vfork(2), or by clone(2) with CLONE_VM. */
bool tree_shares_memory(const struct tree *t, pid_t pid);

void tree_free(struct tree *t);

#endif
