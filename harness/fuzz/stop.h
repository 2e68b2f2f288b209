// SPDX-License-Identifier: MIT
/* Compares the numbers of all processes at a stop. */
#ifndef RSSCK_FUZZ_STOP_H
#define RSSCK_FUZZ_STOP_H

#include "play.h"

struct stop_kind {
	bool settled; /* lagging counters were forced exact */
	bool fully;   /* read every source of each process; else, for processes that the step did
		       * not concern, only counters, rollup and page states, as long as these have
		       * not changed */
	bool closed;  /* everything is unmapped */
};

/*
 * Reads the sources of every process and compares: first the identities, then the states of the
 * pages, then the counts. 0: all is right, and the ledger has adopted what the kernel chose; 1:
 * *f says what is wrong; -1: a process has ended, see p->s.why.
 */
int audit_all(struct player *p, const struct stop_kind *kind, unsigned step, struct finding *f);

/*
 * Passes the counters to the watcher before they are settled. 0; -1: a process has ended, p->s.why.
 */
int audit_unsettled(struct player *p, unsigned step);

#endif
