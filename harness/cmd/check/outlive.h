// SPDX-License-Identifier: MIT
/*
 * Runs a function in a child process. The parent survives the child's crashes and hangs and most
 * signals that end a program, and can report the results so far.
 */
#ifndef RSSCK_OUTLIVE_H
#define RSSCK_OUTLIVE_H

#include <stdbool.h>

/* Memory that both processes share. */
struct outlived {
	volatile unsigned steps; /* the child increments it at each step */
	volatile bool finished;
	volatile int status; /* the return value of run(), after it has returned */
	int signal;          /* the signal that ended the child or that the parent received; 0:
			      * none */
	char why[240];       /* why the child ended early, as a sentence */
};

/* Allocates a struct outlived in shared memory. Returns NULL if that fails. */
struct outlived *outlived_new(void);
void outlived_free(struct outlived *o);

/*
 * Runs `run` in a child. Waits until it has returned, has crashed, or has taken no step for
 * `quiet_s` seconds, or until the parent gets a signal that would end it. Returns false if no child
 * can be started. Afterwards the child has ended, or could not be killed within 5 s. Its workloads
 * end with it (PR_SET_PDEATHSIG), and its guard ends when it has cleaned up.
 */
bool outlive(struct outlived *o, unsigned quiet_s, int (*run)(void *), void *data);

/*
 * Returns the name of a system call that is needed to watch and end a child, and that a filter
 * forbids, and sets errno. Returns NULL if none is forbidden.
 */
const char *outlive_refused(void);

#endif
