// SPDX-License-Identifier: MIT
/*
 * A run in a process of its own: its parent outlives a crash, a hang and the signals that end
 * programs, and can report what was found until then.
 */
#ifndef RSSCK_OUTLIVE_H
#define RSSCK_OUTLIVE_H

#include <stdbool.h>

/* Shared by both processes. */
struct outlived {
	volatile unsigned steps; /* the run counts them up: it is alive */
	volatile bool finished;
	volatile int status; /* that run() returned, once it has finished */
	int signal;          /* that ended it, or us; 0: none */
	char why[240];       /* why it ended early, in a sentence */
};

/* Allocate one in shared memory; NULL if that fails. */
struct outlived *outlived_new(void);
void outlived_free(struct outlived *o);

/*
 * Run `run` in a child and wait until it has finished, died, not taken a step for
 * `quiet_s` seconds, or a signal ends us (SIGINT, SIGTERM, SIGHUP). Returns false
 * where no child could be started. Afterwards no process of it is left.
 */
bool outlive(struct outlived *o, unsigned quiet_s, int (*run)(void *), void *data);

/*
 * The first call that a filter refuses and without which no child can be watched or ended, with its
 * errno; NULL: none.
 */
const char *outlive_refused(void);

#endif
