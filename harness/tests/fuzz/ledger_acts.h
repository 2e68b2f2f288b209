// SPDX-License-Identifier: MIT
/* Applies acts to a ledger, and checks the pages of region 0. */
#ifndef RSSCK_LEDGER_ACTS_H
#define RSSCK_LEDGER_ACTS_H

#include "fuzz/ledger.h"
#include "fuzz/program.h"
#include "tests/support/test.h"
#include <rssck/source.h>

enum { HUGE = 512 };

#define HERE  (PAGEMAP_PRESENT | PAGEMAP_EXCLUSIVE)
#define FRESH PAGEMAP_SOFT_DIRTY

static inline void begin(struct ledger *l)
{
	ledger_open(l, HUGE);
	ledger_begin(l);
	l->soft_dirty = l->soft_dirty_asked = true;
}

/* Applies the acts to the ledger as if every call succeeds. */
static inline void do_acts(struct ledger *l, const char *text)
{
	struct act_outcome done = { 0 };
	struct program p;
	char why[256];

	if (program_parse(&p, text, why, sizeof(why)))
		fail_msg("%s", why);
	for (unsigned i = 0; i < p.nr; i++)
		ledger_act(l, &p.acts[i], &done);
}

/* Returns true if the pages of r0 may be in this state. */
static inline bool may_be(struct ledger *l, unsigned process, const uint64_t *words)
{
	struct discrepancy m;

	return ledger_check_pages(l, process, 0, words, true, &m);
}

static inline void takes(struct ledger *l, unsigned process, const uint64_t *words)
{
	struct discrepancy m = { .counter = 0 };

	if (!ledger_check_pages(l, process, 0, words, true, &m))
		fail_msg("%s: %s", m.metric, m.text);
	ledger_take(l, process);
}

#endif
