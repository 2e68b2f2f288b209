// SPDX-License-Identifier: MIT
/* MADV_FREE leaves pages in RES until reclaim drops them; a page that is written again stays. */
#include "drain.h"

enum { PAGES = 256, REGION = 0, SCRATCH = 1 };

static void map_and_write(struct workload *w)
{
	w->slot[SCRATCH] = workload_anonymous(w, 1);
	w->slot[REGION] = workload_written(w, PAGES);
	drain(w, w->slot[SCRATCH]);
}

static void free_all(struct workload *w)
{
	workload_advise(w, w->slot[REGION], PAGES * w->page_size, MADV_FREE);
	drain(w, w->slot[SCRATCH]);
}

CASE(anonymous_madv_free) {
	.claim =
		"MADV_FREE leaves pages in RES, clean and LazyFree; a page that is written again is dirty and not LazyFree, until the next MADV_FREE",
	.because =
		"madvise_free_pte_range() cleans the entries and marks the pages as not swap-backed, in batches per CPU. Reclaim may then drop such pages without writing them; the counters fall only then. A later write makes the entry dirty, so reclaim keeps the page and marks its frame as swap-backed again.",
	.said_by = SAID_BY("madvise(2), MADV_FREE", "proc_pid_smaps(5), LazyFree"),
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES + 1), ANON_WRITE(PAGES))),
		       STEP("MADV_FREE", free_all, MOVES(ANON_WRITE(-PAGES), ANON_LAZYFREE(PAGES))),
		       STEP("write half", step_write, .slot = REGION, .pages = PAGES / 2,
			    MOVES(ANON_LAZYFREE(-(PAGES / 2)), ANON_TAKEN_BACK(PAGES / 2))),
		       STEP("MADV_FREE again", free_all,
			    MOVES(ANON_TAKEN_BACK(-(PAGES / 2)), ANON_LAZYFREE(PAGES / 2))),
		       STEP("MADV_DONTNEED", step_advise, .slot = REGION, .pages = PAGES,
			    .advice = MADV_DONTNEED, MOVES(ANON_LAZYFREE(-PAGES)))),
};
