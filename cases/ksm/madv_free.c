// SPDX-License-Identifier: MIT
/*
 * MADV_FREE of a KSM page makes most kernels lose the content of pages that are merged with it
 * later.
 */
#include "rounds.h"

STEP_SYMBOLS(FREE);

static char *alike(struct workload *w, size_t pages)
{
	char *p = workload_anonymous(w, pages);

	ksm_write_alike(w, p, pages);
	workload_advise(w, p, pages * w->page_size, MADV_MERGEABLE);
	return p;
}

/* Stops ksmd first, because MADV_FREE skips a page that ksmd holds. */
static void free_page(struct workload *w, void *p)
{
	workload_set(w, KSM "run", "0");
	madvise(p, w->page_size, MADV_FREE);
	workload_set(w, KSM "run", "1");
}

/*
 * Merges two pages, unmaps one and passes the other to MADV_FREE. Then merges a third page with the
 * freed one, and reclaims.
 */
static void merge_free_reclaim(struct workload *w)
{
	size_t page = w->page_size;
	char *p = alike(w, 2), *kept;

	ksm_wait_for_merged(w, 2);
	munmap(p + page, page);
	ksm_wait_for_merged(w, 1);
	free_page(w, p);
	kept = alike(w, 1);
	ksm_wait_for_merged(w, 2);
	munmap(p, page);
	madvise(kept, page, MADV_PAGEOUT);
	workload_report(w, "kept", *kept != 0);
	munmap(kept, page);
	ksm_wait_for_merged(w, 0);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t kept = trial_reported(t, FREE, "kept");

	judge_fact_of(j, "ksm.page_merged_with_one_that_was_freed_is", kept, 1, "lost", "kept",
		      "not there");
}

CASE(ksm_madv_free) {
	.claim = "After MADV_FREE of a KSM page, pages merged with it later should keep their "
		 "content; on most kernels reclaim discards them, and they read as zeroes",
	.because = "If only one entry maps a KSM page, madvise_free_pte_range() takes it for an "
		   "unshared page and marks it as droppable. But the page stays in KSM's stable "
		   "tree and may get new entries, even in other processes. 6.12.118 skips KSM "
		   "pages; 7.3.4 does not.",
	.said_by = SAID_BY("madvise(2), MADV_FREE", "Documentation/admin-guide/mm/ksm.rst"),
	.needs = NEEDS("ksm", "guest"),
	.limit_s = 60,
	.steps = STEPS(STEP_AS(FREE, "merge, MADV_FREE, merge, reclaim", merge_free_reclaim)),
	.facts = FACTS(FACT("ksm.page_merged_with_one_that_was_freed_is",
			    "A page that KSM merges with one that got MADV_FREE is", "kept|lost")),
	.judge = judge,
};
