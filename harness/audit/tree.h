// SPDX-License-Identifier: MIT
/*
 * Finds a program's processes and threads, stops them, and releases them.
 *
 * Threads are stopped by ptrace(2). PTRACE_SEIZE and PTRACE_INTERRUPT send no signal: a thread that
 * was stopped before remains stopped after its release, and no parent is notified. If rssck dies,
 * the kernel releases all threads.
 *
 * Threads are traced only while they are stopped, or, on request, from their start. A process that
 * is traced from its start stops at its end, while it still has its memory (PTRACE_EVENT_EXIT).
 */
#ifndef RSSCK_AUDIT_TREE_H
#define RSSCK_AUDIT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

enum standing {
	STANDING_RUNS,  /* may be running: did not stop in time, or rssck may not stop it */
	STANDING_RESTS, /* was not stopped, but does not run: waits in vfork(2) for its child, or
			   has ended; if rssck may not stop it, it sleeps or is stopped */
	STANDING_HELD,
};

struct thread {
	pid_t tid, pid;
	enum standing standing;
	bool seized;
	bool leaving; /* about to end; stays set after its release */
	bool stopped; /* stopped by a signal such as SIGSTOP, with its process */
	int signal;   /* a signal that its release will deliver */
};

struct traced {
	pid_t pid, parent;
	unsigned threads;
	unsigned users; /* number of threads of all processes that share its memory (vfork(2),
			   CLONE_VM) */
	bool still;     /* all threads that share its memory are stopped or wait */
	bool denied;    /* rssck may not stop it: another user's process, or traced already */
	bool ended;     /* a zombie without memory, or gone */
};

struct tree {
	pid_t command; /* PID of rssck's child; 0 after it has ended */
	pid_t guard;   /* PID of a child of rssck that is not part of the program, or 0 */
	bool traced;   /* the program is traced from its start */
	int status;    /* wait(2)'s status of the command, after it has ended */
	struct rusage usage;
	struct thread *threads; /* owned */
	size_t nr_threads;
	struct traced *members; /* owned; found by the last tree_hold() */
	size_t nr_members;
	bool whole; /* all processes found are stopped, and the last search found no new one */
};

/*
 * Finds all descendants of rssck except t->guard, and stops them. Takes at most `limit_ms`. A
 * thread in an uninterruptible system call, or a program that forks faster than it is found, is
 * then not stopped, and t->whole is false. rssck must be the reaper of orphans
 * (PR_SET_CHILD_SUBREAPER), and call all these functions from one thread.
 */
void tree_hold(struct tree *t, int64_t limit_ms);
void tree_release(struct tree *t);

/*
 * Collects what wait(2) reports: exits, and stops of threads that were released before they
 * stopped.
 */
void tree_reap(struct tree *t);

/*
 * tree_trace() traces a child that has not started yet, and all its descendants. Returns 0, or -1
 * with errno. tree_is_traced() notes that the command is traced in this way.
 */
int tree_trace(pid_t pid);
void tree_is_traced(struct tree *t);

/*
 * tree_next_end() finds a traced process of which all threads are about to end; false if there is
 * none. The process stays stopped until tree_let_end().
 */
bool tree_next_end(struct tree *t, struct traced *who);
void tree_let_end(struct tree *t, pid_t pid);

/* True if another process has the same memory: after vfork(2), or by clone(2) with CLONE_VM. */
bool tree_shares_memory(const struct tree *t, pid_t pid);

void tree_free(struct tree *t);

#endif
