// SPDX-License-Identifier: MIT
/*
 * A split replaces the huge zero page by small zero pages: all are present, and no RSS counts them.
 */
#include <rssck/case.h>

enum { REGION = 0 };

static void map_and_read(struct workload *w)
{
	w->slot[REGION] = workload_huge_zero_page(w);
	workload_advise(w, w->slot[REGION], w->huge_page_size, MADV_NOHUGEPAGE);
}

/* Changing and restoring the protection of one page leaves one mapping with small entries. */
static void protect_first(struct workload *w)
{
	workload_protect(w, w->slot[REGION], w->page_size, PROT_READ);
	workload_protect(w, w->slot[REGION], w->page_size, PROT_READ | PROT_WRITE);
}

CASE(thp_huge_zero_split) {
	.claim =
		"After a split of the huge zero page each of its pages is present separately, and RES counts a page after it is written",
	.because =
		"__split_huge_zero_page_pmd() writes one entry of the small zero page per page, which no counter includes, either.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst, use_zero_page"),
	.needs = NEEDS("thp", "zero_page"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("map and read", map_and_read), STEP("protect one page", protect_first),
		       STEP("unmap that page", step_unmap, .pages = 1,
			    MOVES(VIRT_DATA(-1), ZERO_READ(-1))),
		       STEP("write the last page", step_write, .first = THP - 1, .pages = 1,
			    MOVES(ZERO_TO_ANON(1)))),
	.posts = POSTS(VIRT_DATA(1), ZERO_READ(1)),
};
