// SPDX-License-Identifier: MIT
/*
 * Collapsing small pages into a huge page adds the whole huge page to RES, even pages that were
 * never touched.
 */
#include <rssck/case.h>

enum { HUGE = 2, REGION = 0 };

static void map_and_write(struct workload *w)
{
	int64_t touched = w->huge + w->huge / 2;

	w->slot[REGION] = workload_huge_map(w, HUGE, -1);
	workload_advise(w, w->slot[REGION], HUGE * w->huge_page_size, MADV_NOHUGEPAGE);
	touch_write(w, w->slot[REGION], (size_t)touched);
	touch_read(w, (char *)w->slot[REGION] + (size_t)touched * w->page_size,
		   (size_t)w->huge / 4);
	workload_expect(w, VIRT_DATA(HUGE * w->huge), ANON_WRITE(touched), ZERO_READ(w->huge / 4));
}

static void collapse(struct workload *w)
{
	int64_t touched = w->huge + w->huge / 2;
	size_t bytes = HUGE * w->huge_page_size;

	madvise(w->slot[REGION], bytes, MADV_HUGEPAGE);
	workload_collapse(w, w->slot[REGION], bytes);
	workload_expect(w, ANON_WRITE(-touched), ZERO_READ(-w->huge / 4),
			ANON_HUGE(HUGE * w->huge));
}

CASE(thp_collapse) {
	.claim = "When half-touched memory is collapsed into a huge page, RES counts all of it: "
		 "RES rises without a touch",
	.because = "collapse_huge_page() copies the pages that exist, clears the rest and adds "
		   "the missing pages to MM_ANONPAGES. khugepaged calls it in the background, so "
		   "RES may rise in a process that does not run.",
	.said_by = SAID_BY("madvise(2), MADV_COLLAPSE",
			   "Documentation/admin-guide/mm/transhuge.rst, max_ptes_none"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("write small pages", map_and_write), STEP("MADV_COLLAPSE", collapse)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
};
