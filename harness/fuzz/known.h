// SPDX-License-Identifier: MIT
/*
 * Bugs of current kernels that random programs trigger: named (history.def), and not reported as
 * findings.
 */
#ifndef RSSCK_FUZZ_KNOWN_H
#define RSSCK_FUZZ_KNOWN_H

#include "agent/verbs/verbs.h"
#include "ledger.h"
#include <rssck/discrepancy.h>

/* The bug that a verb's wrong answer shows; BUG_NONE: no known one. */
enum bug_id known_answer(const struct verb *v, const struct act_outcome *o);

/* Adds one for each bug that the ledger has met in a process since the last operation. */
void known_to_ledger(const struct ledger_process *p, uint64_t met[BUG_COUNT]);

/* The snapshot that was judged, and the ledger beside it. */
struct known_about {
	const struct ledger *l;
	unsigned process;
	const struct snapshot *s, *baseline; /* the current one, and the one before the first
					      * program */
	const struct ledger_place *place;
	bool closed;   /* everything is unmapped: compare with the baseline */
	uint64_t *met; /* BUG_COUNT: how often each bug was met */
};

/* True if a known bug of its rule explains the difference, or if the difference is no bug. */
bool known_excuses(const struct known_about *a, const struct discrepancy *d);

#endif
