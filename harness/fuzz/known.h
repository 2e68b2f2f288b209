// SPDX-License-Identifier: MIT
/*
 * Bugs of kernels, old and new, that random programs trigger. rssck names them (history.def) and
 * does not report them as findings.
 */
#ifndef RSSCK_FUZZ_KNOWN_H
#define RSSCK_FUZZ_KNOWN_H

#include "agent/verbs/verbs.h"
#include "ledger.h"
#include <rssck/bug_id.h>
#include <rssck/discrepancy.h>

/* The known bug that explains a verb's wrong answer; BUG_NONE: no known bug does. */
enum bug_id known_answer(const struct verb *v, const struct act_outcome *o);

/* Adds 1 to `met` for each known bug that the ledger has noted for a process. Call at each stop. */
void known_to_ledger(const struct ledger_process *p, uint64_t met[BUG_COUNT]);

/* A snapshot that was judged, and the ledger's state at the same stop. */
struct known_about {
	const struct ledger *l;
	unsigned process;
	const struct snapshot *s, *baseline; /* the current snapshot; the snapshot before the
					      * first program */
	const struct ledger_place *place;
	bool closed;   /* everything is unmapped: compare with the baseline */
	uint64_t *met; /* BUG_COUNT elements: how often each bug was met */
};

/*
 * True if a known bug of the broken rule explains the difference, or if the difference is not a
 * bug.
 */
bool known_excuses(const struct known_about *a, const struct discrepancy *d);

#endif
