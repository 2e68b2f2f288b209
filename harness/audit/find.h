// SPDX-License-Identifier: MIT
/* Finds processes and threads in /proc. */
#ifndef RSSCK_AUDIT_FIND_H
#define RSSCK_AUDIT_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

struct pids {
	pid_t *of; /* owned */
	size_t nr;
};

void pids_free(struct pids *p);

/*
 * find_children() appends the children of all threads of a process. The list is complete if the
 * process is stopped (proc_tid_children(5)). Without CONFIG_PROC_CHILDREN the parent of every
 * process is read.
 */
void find_children(pid_t pid, struct pids *found);
void find_threads(pid_t pid, struct pids *found);

/* Returns the state of a thread: 'R', 'S', 'D', 'Z' ...; '\0' if there is no such thread. */
char find_state(pid_t pid, pid_t tid);

/* True if the thread is in vfork(2), or clone(2) with CLONE_VFORK, and waits for its child. */
bool find_is_in_vfork(pid_t pid, pid_t tid);

/* Return the process of a thread, and the tracer of a thread; 0 if there is none. */
pid_t find_process(pid_t tid);
pid_t find_tracer(pid_t tid);

/* True if both processes have the same address space; false if that cannot be determined. */
bool find_is_same_memory(pid_t a, pid_t b);

/*
 * Returns when the process was started, in clock ticks since boot; 0 if there is no such process.
 */
unsigned long long find_start(pid_t pid);

/* Writes the process's name, as in `comm`, into buf; "?" if there is no such process. */
const char *find_name(pid_t pid, char *buf, size_t size);

#endif
