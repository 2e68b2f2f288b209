// SPDX-License-Identifier: MIT
/* With use_zero_pages KSM replaces zero-filled pages by the zero page, which RES does not count. */
#include "zeroes.h"

enum { HALF = PAGES / 2 };
STEP_SYMBOLS(MERGEABLE, FORK_EXIT, WRITE_HALF, UNMAP);

static int end_at_once(const struct workload *w)
{
	(void)w;
	return 0;
}

static void fork_and_reap(struct workload *w)
{
	workload_in_child(w, end_at_once);
	ksm_report_zero_pages(w);
}

/* The pages differ, so that ksmd does not merge them. */
static void write_half(struct workload *w)
{
	volatile char *p = w->slot[REGION];

	for (size_t i = 0; i < HALF; i++)
		p[i * w->page_size] = (char)(i + 1);
	ksm_report_zero_pages(w);
}

/*
 * A child's exit subtracts its zero pages from the machine's ksm_zero_pages, so its fork must add
 * them.
 */
static void judge_sum(const struct trial *t, struct judgement *j)
{
	int64_t before = ksm_zero_pages_of_all(t, MERGEABLE);
	int64_t after = ksm_zero_pages_of_all(t, FORK_EXIT);

	judge_fact_of(j, "ksm.zero_pages_of_all_after_a_child_has_exited", before - after, PAGES,
		      "the same", "fewer", "otherwise");
	judge_equal(j, UNMAP, "ksm_zero_pages of all", ksm_zero_pages_of_all(t, UNMAP) - after,
		    -PAGES, "ksm_zero_pages does not count a page that was written or unmapped");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		unsigned step;
		int64_t pages;
	} claims[] = { { MERGEABLE, PAGES },
		       { FORK_EXIT, PAGES },
		       { WRITE_HALF, PAGES - HALF },
		       { UNMAP, 0 } };

	if (trial_reported(t, MERGEABLE, "of this process") < 0)
		return; /* ksm_zero_pages exists since 6.6 */
	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++)
		judge_equal(j, claims[i].step, "ksm_zero_pages",
			    trial_reported(t, claims[i].step, "of this process"), claims[i].pages,
			    "ksm_stat counts the zero pages that KSM mapped");
	judge_sum(t, j);
}

CASE(ksm_zero_pages) {
	.claim =
		"Zero-filled pages that KSM replaces by the zero page leave RES, and a write adds them to RES again; ksm_zero_pages of the process (since 6.6) counts them until they are written or unmapped",
	.because = "When replace_page() maps the zero page, it lowers MM_ANONPAGES, because no "
		   "counter includes the zero page. Since 6.6 it sets the dirty bit in the new "
		   "entry. ksm_might_unmap_zero_page() recognizes KSM's zero pages by this bit "
		   "when they are unmapped.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, use_zero_pages"),
	.needs = NEEDS("ksm", "guest"),
	.limit_s = 30,
	.steps = STEPS(ZEROES_MERGED, STEP_AS(FORK_EXIT, "fork, exit", fork_and_reap),
		       STEP_AS(WRITE_HALF, "write half", write_half,
			       MOVES(ZERO_PLACED(-HALF), ANON_WRITE(HALF))),
		       STEP_AS(UNMAP, "unmap", ksm_unmap_zeroes,
			       MOVES(VIRT_DATA(-PAGES), ZERO_PLACED(HALF - PAGES),
				     ANON_WRITE(-HALF)))),
	.facts = FACTS(
		FACT("ksm.zero_pages_of_all_after_a_child_has_exited",
		     "After a forked child's exit, the KSM zero pages that the machine counts are",
		     "the same|fewer")),
	.judge = judge,
};
