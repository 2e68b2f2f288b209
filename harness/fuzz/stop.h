// SPDX-License-Identifier: MIT
/* Compares the numbers of all processes at a stop. */
#ifndef RSSCK_FUZZ_STOP_H
#define RSSCK_FUZZ_STOP_H

#include "play.h"

struct stop_kind {
	bool settled; /* lagging counters were settled before */
	bool fully;  /* read every source of each process; if false, a process that the step did not
			concern is read completely only if its smaps_rollup has changed, one of its
			threads runs, or its numbers were not right at the last stop */
	bool closed; /* everything is unmapped */
};

/*
 * Reads the sources of every process, and compares first the identities, then the states of the
 * pages, then the counts. Returns 0 if all numbers are right; the ledger has then adopted the
 * kernel's choices. Returns 1 if a number is wrong, which *f describes. Returns -1 if a process has
 * ended, or ran while it was read: see p->s.why.
 */
int audit_all(struct player *p, const struct stop_kind *kind, unsigned step, struct finding *f);

/*
 * Passes the counters to the watcher before they are settled. Returns 0, or -1 if a process has
 * ended: see p->s.why.
 */
int audit_unsettled(struct player *p, unsigned step);

#endif
