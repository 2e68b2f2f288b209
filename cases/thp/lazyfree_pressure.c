// SPDX-License-Identifier: MIT
/* Reclaim drops a MADV_FREE huge page as a whole. */
#include <rssck/case.h>

enum { REGION = 0 };

static void write_and_free(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	workload_huge_write(w, w->slot[REGION], 1);
	touch_write(w, w->slot[REGION], (size_t)w->huge);
	workload_advise(w, w->slot[REGION], w->huge_page_size, MADV_FREE);
	workload_expect(w, VIRT_DATA(w->huge), ANON_LAZYFREE(w->huge, .also = PAGE_HUGE));
}

CASE(thp_lazyfree_pressure) {
	.claim =
		"When reclaim drops a MADV_FREE huge page, all its pages leave RES, LazyFree and AnonHugePages, and none goes to swap",
	.because = "__discard_anon_folio_pmd_locked() removes the PMD as a whole and lowers "
		   "MM_ANONPAGES by HPAGE_PMD_NR (since commit 735ecdfaf4e8 of 6.11; seen on "
		   "7.2.13). Older kernels, and 6.12.117, split the PMD in try_to_unmap_one() "
		   "and remove its pages one by one.",
	.said_by = SAID_BY("madvise(2), MADV_FREE"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("write and MADV_FREE", write_and_free),
		       STEP("reclaim", step_reclaim, .pages = THP,
			    MOVES(ANON_LAZYFREE(-THP, .also = PAGE_HUGE))),
		       STEP("touch one page", step_write, .pages = 1, MOVES(ANON_WRITE(1)))),
	.posts = POSTS(VIRT_DATA(1), ANON_LAZYFREE(1)),
};
