// SPDX-License-Identifier: MIT
/*
 * MADV_FREE makes all pages of a huge page LazyFree. One written byte makes all of them normal
 * again.
 */
#include <rssck/case.h>

enum { REGION = 0 };

/* Writes each page, because a split may replace zero-filled pages by the zero page. */
static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_huge_page(w);
	touch_write(w, w->slot[REGION], (size_t)w->huge);
}

CASE(thp_lazyfree) {
	.claim =
		"MADV_FREE of a huge page makes all its pages LazyFree; writing one byte takes all of them out of LazyFree",
	.because = "madvise_free_huge_pmd() cleans the PMD, which has one dirty bit for all its "
		   "pages. MADV_FREE of a part splits the huge page first.",
	.said_by = SAID_BY("madvise(2), MADV_FREE", "proc_pid_smaps(5), LazyFree"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("write a huge page", map_and_write),
		       STEP("MADV_FREE", step_advise, .pages = THP, .advice = MADV_FREE,
			    MOVES(ANON_HUGE(-THP), ANON_LAZYFREE(THP, .also = PAGE_HUGE))),
		       STEP("write one byte", step_write, .pages = 1,
			    MOVES(ANON_LAZYFREE(-THP, .also = PAGE_HUGE),
				  ANON_TAKEN_BACK(THP, .also = PAGE_HUGE))),
		       STEP("MADV_FREE half", step_advise, .pages = THP / 2, .advice = MADV_FREE,
			    MOVES(ANON_TAKEN_BACK(-THP, .also = PAGE_HUGE), ANON_LAZYFREE(THP / 2),
				  ANON_TAKEN_BACK(THP / 2)))),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
};
