// SPDX-License-Identifier: MIT
/*
 * Runs a function in a process of its own. Its parent survives a crash, a hang and signals
 * that end programs, and can report the results so far.
 */
#ifndef RSSCK_OUTLIVE_H
#define RSSCK_OUTLIVE_H

#include <stdbool.h>

/* Memory that both processes share. */
struct outlived {
	volatile unsigned steps; /* incremented by the run at each step, as a sign of life */
	volatile bool finished;
	volatile int status; /* the result of run(), once it has finished */
	int signal;          /* the signal that ended it, or us; 0: none */
	char why[240];       /* why it ended early, as a sentence */
};

/* Allocates one in shared memory; NULL if that fails. */
struct outlived *outlived_new(void);
void outlived_free(struct outlived *o);

/*
 * Runs `run` in a child and waits until it has finished, died, taken no step for
 * `quiet_s` seconds, or a signal ends us (SIGINT, SIGTERM, SIGHUP). False if no child
 * could be started. Afterwards no process of it is left.
 */
bool outlive(struct outlived *o, unsigned quiet_s, int (*run)(void *), void *data);

/*
 * The first call that a filter refuses and without which no child can be watched or ended, with its
 * errno; NULL: none.
 */
const char *outlive_refused(void);

#endif
