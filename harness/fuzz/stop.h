// SPDX-License-Identifier: MIT
/* Compares the numbers of all processes at a stop. */
#ifndef RSSCK_FUZZ_STOP_H
#define RSSCK_FUZZ_STOP_H

#include "play.h"

struct stop_kind {
	bool settled; /* what lags was forced exact */
	bool fully;   /* every source of each process; else only counters, rollup and page states of
			 those that the step was not about, as long as these say what they said */
	bool closed;  /* everything is unmapped */
};

/*
 * Read the sources of every process and compare: the identities first, then the states of the
 * pages, then the counts. 0: all is as it must be, and the ledger knows what the kernel chose;
 * 1: *f says what is not; -1: a process is gone, p->s.why.
 */
int audit_all(struct player *p, const struct stop_kind *kind, unsigned step, struct finding *f);

/* Show the watcher the counters before they are settled. 0; -1: a process is gone, p->s.why. */
int audit_unsettled(struct player *p, unsigned step);

#endif
