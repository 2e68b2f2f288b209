// SPDX-License-Identifier: MIT
/*
 * MADV_FREE makes all pages of a huge page LazyFree. Writing one byte makes all of them normal
 * again.
 */
#include <rssck/case.h>

enum { REGION = 0 };

/* Writes every page, because a split may replace zero-filled pages by the zero page. */
static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_huge_page(w);
	touch_write(w, w->slot[REGION], (size_t)w->huge);
}

static void give_up(struct workload *w)
{
	workload_advise(w, w->slot[REGION], w->huge_page_size, MADV_FREE);
	workload_expect(w, ANON_HUGE(-w->huge), ANON_LAZYFREE(w->huge, .also = PAGE_HUGE));
}

static void write_byte(struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	workload_expect(w, ANON_LAZYFREE(-w->huge, .also = PAGE_HUGE),
			ANON_TAKEN_BACK(w->huge, .also = PAGE_HUGE));
}

static void give_up_half(struct workload *w)
{
	workload_advise(w, w->slot[REGION], w->huge_page_size / 2, MADV_FREE);
	workload_expect(w, ANON_TAKEN_BACK(-w->huge, .also = PAGE_HUGE), ANON_LAZYFREE(w->huge / 2),
			ANON_TAKEN_BACK(w->huge / 2));
}

CASE(thp_lazyfree) {
	.claim = "MADV_FREE of a huge page makes all 512 pages LazyFree; one written byte makes "
		 "all 512 normal again",
	.because = "madvise_free_huge_pmd() cleans the PMD, which has one dirty bit for all its "
		   "pages. MADV_FREE of a part splits the huge page first.",
	.said_by = SAID_BY("madvise(2), MADV_FREE", "proc_pid_smaps(5), LazyFree"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("write a huge page", map_and_write), STEP("MADV_FREE", give_up),
		       STEP("write one byte", write_byte), STEP("MADV_FREE half", give_up_half)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1), ANON_LAZYFREE(1)),
};
