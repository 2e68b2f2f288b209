// SPDX-License-Identifier: MIT
/* Reclaim drops MADV_FREE pages and keeps the pages that were written since. */
#include "drain.h"

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0, SCRATCH = 1 };

static void write_and_free(struct workload *w)
{
	w->slot[SCRATCH] = workload_anonymous(w, 1);
	w->slot[REGION] = workload_written(w, PAGES);
	drain(w, w->slot[SCRATCH]);
	workload_advise(w, w->slot[REGION], PAGES * w->page_size, MADV_FREE);
	drain(w, w->slot[SCRATCH]);
}

static void read_all(struct workload *w)
{
	char *p = w->slot[REGION];

	workload_must_hold(w, p, HALF, true);
	workload_must_hold(w, p + HALF * w->page_size, HALF, false);
}

CASE(anonymous_madv_free_pressure) {
	.claim = "Reclaim removes MADV_FREE pages from RES and LazyFree, without writing them to "
		 "swap, unless they were written after MADV_FREE; written pages keep their content",
	.because = "try_to_unmap_one() unmaps a page that is clean and not swap-backed, and lowers "
		   "MM_ANONPAGES. It leaves no swap entry, so the next read maps the zero page. "
		   "shrink_folio_list() (shrink_page_list() up to 5.17) then frees the page.",
	.said_by = SAID_BY("madvise(2), MADV_FREE"),
	.steps = STEPS(STEP("write and MADV_FREE", write_and_free,
			    MOVES(VIRT_DATA(PAGES + 1), ANON_LAZYFREE(PAGES))),
		       STEP("write half", step_write, .slot = REGION, .pages = HALF,
			    MOVES(ANON_LAZYFREE(-HALF), ANON_TAKEN_BACK(HALF))),
		       STEP("reclaim the rest", step_reclaim, .slot = REGION, .first = HALF,
			    .pages = HALF, MOVES(ANON_LAZYFREE(-HALF))),
		       STEP("read all", read_all, .checks = 2, MOVES(ZERO_READ(HALF)))),
};
