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

static struct ledger ledger;

static inline void begin(void)
{
	ledger_close(&ledger);
	ledger_open(&ledger, HUGE);
	ledger_begin(&ledger);
	ledger.soft_dirty = ledger.soft_dirty_asked = true;
}

FIXTURE(begin_test)
{
	begin();
	return 0;
}

FIXTURE(end_test)
{
	ledger_close(&ledger);
	return 0;
}

TESTS_EACH(begin_test, end_test);

/* Applies the acts to the ledger as if every call succeeds. */
static inline void do_acts(const char *text)
{
	struct act_outcome done = { 0 };
	struct program p;
	char why[256];

	if (program_parse(&p, text, why, sizeof(why)))
		fail_msg("%s", why);
	for (unsigned i = 0; i < p.nr; i++)
		ledger_act(&ledger, &p.acts[i], &done);
}

static inline bool may_be(unsigned process, const uint64_t *words)
{
	struct discrepancy m;

	return ledger_check_pages(&ledger, process, 0, words, true, &m);
}

/* The ledger must accept this state of r0's pages; then it assumes the state. */
static inline void takes(unsigned process, const uint64_t *words)
{
	struct discrepancy m = { .counter = 0 };

	if (!ledger_check_pages(&ledger, process, 0, words, true, &m))
		fail_msg("%s: %s", m.metric, m.text);
	ledger_take(&ledger, process);
}

#endif
