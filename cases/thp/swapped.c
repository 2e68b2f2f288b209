// SPDX-License-Identifier: MIT
/* VmSwap counts each page of a huge page that is swapped out. */
#include <rssck/case.h>

enum { REGION = 0, CHILD = 1, WRITTEN = 3, UNMAPPED = 20, BACK = 0 };

static void map_and_page_out(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	workload_huge_write(w, w->slot[REGION], 1);
	workload_page_out(w, w->slot[REGION], (size_t)w->huge);
	workload_expect(w, VIRT_DATA(w->huge), SWAPPED(w->huge));
}

static void let_go(struct workload *w, int64_t n)
{
	workload_expect(w, SWAPPED(-n, .sharers = 2, .process = CHILD), RESHARED(SWAPPED, n, 2, 1));
}

static void unmap_end(struct workload *w)
{
	munmap((char *)w->slot[REGION] + w->huge_page_size - UNMAPPED * w->page_size,
	       UNMAPPED * w->page_size);
	let_go(w, UNMAPPED);
}

/*
 * If the huge page is still in the swap cache, one fault maps all of it, but only the written pages
 * are dirty.
 */
static void write_some(struct workload *w)
{
	int64_t back;

	touch_write(w, w->slot[REGION], WRITTEN);
	back = workload_pages_present(w, w->slot[REGION], (size_t)w->huge - UNMAPPED);
	let_go(w, back);
	workload_expect(w, ANON_WRITE(WRITTEN, .process = CHILD),
			ANON_CLEAN(back - WRITTEN, .process = CHILD));
	w->number[BACK] = back;
}

static void unmap_rest(struct workload *w)
{
	int64_t rest = w->huge - UNMAPPED;

	munmap(w->slot[REGION], (size_t)rest * w->page_size);
	let_go(w, rest - w->number[BACK]);
	workload_expect(w, VIRT_DATA(-rest, .process = CHILD),
			ANON_WRITE(-WRITTEN, .process = CHILD),
			ANON_CLEAN(WRITTEN - w->number[BACK], .process = CHILD));
}

CASE(thp_swapped) {
	.claim = "VmSwap counts each page of a huge page on swap (512 on x86-64); fork, munmap "
		 "and reading back change VmSwap by the number of affected pages",
	.because = "The page table has one swap entry per page, whether the huge page was swapped "
		   "out as a whole or in parts, and each entry is counted. A fault reads back one "
		   "small page, or maps all pages that are still together in the swap cache.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst, thp_swpout"),
	.needs = NEEDS("thp", "swap"),
	.processes = 1,
	.flags = CASE_THP,
	.steps = STEPS(STEP("page out a huge page", map_and_page_out),
		       STEP("fork", step_fork, FORKED(CHILD, SWAPPED, THP)),
		       STEP("the child unmaps some pages", unmap_end, .process = CHILD,
			    MOVES(VIRT_DATA(-UNMAPPED, .process = CHILD))),
		       STEP("the child writes some pages", write_some, .process = CHILD),
		       STEP("the child unmaps the rest", unmap_rest, .process = CHILD),
		       STEP("the child exits", step_reap, .child = CHILD),
		       STEP("write all", step_write, .pages = THP,
			    MOVES(SWAPPED(-THP), ANON_WRITE(THP)))),
	.posts = POSTS(VIRT_DATA(1), SWAPPED(1), SWAPPED(1, .sharers = 2)),
};
