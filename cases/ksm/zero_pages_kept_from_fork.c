// SPDX-License-Identifier: MIT
/*
 * Checks KSM's zero pages in memory that fork does not copy: some kernels count these pages
 * permanently.
 */
#include "zeroes.h"

STEP_SYMBOLS(MERGEABLE, FORK_EXIT, UNMAP);

static int pages_there(const struct workload *w)
{
	return (int)workload_pages_present((struct workload *)w, w->slot[REGION], PAGES);
}

/*
 * The child gets one half of the region without its pages (MADV_WIPEONFORK), and does not get the
 * other half (MADV_DONTFORK).
 */
static void fork_and_reap(struct workload *w)
{
	size_t half = PAGES / 2 * w->page_size;

	workload_advise(w, w->slot[REGION], half, MADV_WIPEONFORK);
	workload_advise(w, w->slot[REGION] + half, half, MADV_DONTFORK);
	workload_report(w, "of the child", workload_in_child(w, pages_there));
	ksm_report_zero_pages(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t before = ksm_zero_pages_of_all(t, MERGEABLE);
	int64_t after = ksm_zero_pages_of_all(t, FORK_EXIT);

	judge_reported(t, j, FORK_EXIT, "of the child", "present pages of the child", 0,
		       "a child has no page of its parent's MADV_WIPEONFORK or MADV_DONTFORK "
		       "memory");
	if (trial_reported(t, MERGEABLE, "of this process") < 0)
		return; /* ksm_zero_pages exists since 6.6 */
	judge_fact_of(j, "ksm.zero_pages_that_a_fork_wipes_or_leaves_out", after - before, PAGES,
		      "counted once", "counted for ever", "otherwise");
	judge_equal(j, UNMAP, "ksm_zero_pages of all", ksm_zero_pages_of_all(t, UNMAP) - after,
		    -PAGES, "ksm_zero_pages does not count an unmapped page");
}

CASE(ksm_zero_pages_kept_from_fork) {
	.claim =
		"A fork should not add to ksm_zero_pages the zero pages that the child does not get (MADV_WIPEONFORK, MADV_DONTFORK); most kernels add them permanently",
	.because = "ksm_fork() adds all of the parent's zero pages to the machine's "
		   "ksm_zero_pages. dup_mmap() skips VM_DONTCOPY mappings and the pages of "
		   "VM_WIPEONFORK mappings, so the child's exit does not subtract these pages.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, ksm_zero_pages",
			   "madvise(2), MADV_WIPEONFORK, MADV_DONTFORK"),
	.needs = NEEDS("ksm", "guest"),
	.limit_s = 30,
	.steps = STEPS(ZEROES_MERGED, STEP_AS(FORK_EXIT, "fork, exit", fork_and_reap),
		       STEP_AS(UNMAP, "unmap", ksm_unmap_zeroes,
			       MOVES(VIRT_DATA(-PAGES), ZERO_PLACED(-PAGES)))),
	.facts = FACTS(FACT("ksm.zero_pages_that_a_fork_wipes_or_leaves_out",
			    "KSM's zero pages in memory that fork wipes or skips are",
			    "counted once|counted for ever")),
	.judge = judge,
};
