// SPDX-License-Identifier: MIT
/* Bugs of kernels as they are that random programs meet: named (history.def), and no findings. */
#ifndef RSSCK_FUZZ_KNOWN_H
#define RSSCK_FUZZ_KNOWN_H

#include "agent/verbs/verbs.h"
#include "ledger.h"
#include <rssck/discrepancy.h>

/* What a wrong answer of a verb that asks shows; BUG_NONE: nothing that is known. */
enum bug_id known_answer(const struct verb *v, const struct act_outcome *o);

/* What the ledger has met in a process since the last act, counted once more each. */
void known_to_ledger(const struct ledger_process *p, uint64_t met[BUG_COUNT]);

/* What was looked at, and what the ledger has of it. */
struct known_about {
	const struct ledger *l;
	unsigned process;
	const struct snapshot *s, *baseline; /* now, and before the first program */
	const struct ledger_place *place;
	bool closed;   /* everything is unmapped: it is compared with the baseline */
	uint64_t *met; /* BUG_COUNT: counts how often each was met */
};

/* True if the difference is one that a known bug of its rule explains, or that is no bug. */
bool known_excuses(const struct known_about *a, const struct discrepancy *d);

#endif
