// SPDX-License-Identifier: MIT
/*
 * After MADV_FREE of a KSM page, most kernels lose the content of pages that are merged with it
 * later.
 */
#include "rounds.h"

STEP_SYMBOLS(FREE);

#define SETTING "/sys/kernel/mm/ksm/run"

/* Writes pages with the same content; no page of another process has this content. */
static char *alike(struct workload *w, size_t pages)
{
	char *p = workload_anonymous(w, pages);

	for (size_t i = 0; i < pages; i++)
		snprintf(p + i * w->page_size, 64, "rssck %d", (int)getpid());
	if (madvise(p, pages * w->page_size, MADV_MERGEABLE) < 0)
		workload_skip(w, "MADV_MERGEABLE: %m");
	return p;
}

static void wait_until_merged(struct workload *w, int64_t pages)
{
	struct patience patience = { .seconds = PATIENCE_S };

	while (ksm_number(w, "/proc/self/ksm_merging_pages", NULL) != pages)
		workload_wait(w, &patience, "a ksmd that has merged %d pages", (int)pages);
}

/* Stops ksmd meanwhile, because MADV_FREE skips a page that ksmd holds. */
static void free_page(struct workload *w, void *p)
{
	workload_set(w, SETTING, "0");
	madvise(p, w->page_size, MADV_FREE);
	workload_set(w, SETTING, "1");
}

/*
 * Merges two pages, unmaps one and passes the other to MADV_FREE. Then merges a third page with it,
 * and reclaims.
 */
static void merge_free_reclaim(struct workload *w)
{
	size_t page = w->page_size;
	char *p = alike(w, 2), *kept;

	wait_until_merged(w, 2);
	munmap(p + page, page);
	wait_until_merged(w, 1);
	free_page(w, p);
	kept = alike(w, 1);
	wait_until_merged(w, 2);
	munmap(p, page);
	madvise(kept, page, MADV_PAGEOUT);
	workload_report(w, "kept", *kept != 0);
	munmap(kept, page);
	wait_until_merged(w, 0);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t kept = trial_reported(t, FREE, "kept");

	judge_fact(j, "ksm.page_merged_with_one_that_was_freed_is", "%s",
		   kept == 1   ? "kept"
		   : kept == 0 ? "lost"
			       : "not there");
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
