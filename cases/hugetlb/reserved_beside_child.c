// SPDX-License-Identifier: MIT
/*
 * A process unmaps a hugetlb page that its child still maps. The other pages, reserved and not
 * touched, should stay reserved.
 */
#include "pages.h"

enum { HUGE = 3, REGION = 0, CHILD = 1 };
STEP_SYMBOLS(MAP, UNMAP);

static void map_and_write_first(struct workload *w)
{
	w->number[BYTES] = (int64_t)workload_hugetlb_bytes();
	w->slot[REGION] = workload_hugetlb_map(w, HUGE * (size_t)w->number[BYTES], -1);
	touch_write(w, w->slot[REGION], 1);
	workload_expect(w, VIRT_DATA(HUGE * pages(w)), HUGETLB(pages(w)));
	report_reserved(w);
}

static void fork_child(struct workload *w)
{
	workload_fork(w, CHILD);
	workload_expect(w, VIRT_DATA(HUGE * pages(w), .process = CHILD),
			SHARED_WITH(CHILD, HUGETLB, pages(w)));
}

static void unmap_first(struct workload *w)
{
	munmap(w->slot[REGION], (size_t)w->number[BYTES]);
	workload_expect(w, VIRT_DATA(-pages(w)), PARTED_FROM(CHILD, HUGETLB, pages(w)),
			HUGETLB(-pages(w)));
	report_reserved(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t moved = trial_reported(t, UNMAP, "reserved") - trial_reported(t, MAP, "reserved");

	judge_fact_of(j, "hugetlb.reserved_after_unmapping_a_page_that_a_child_maps", -moved, 1,
		      "stays", "falls", "otherwise");
}

CASE(hugetlb_reserved_beside_child) {
	.claim =
		"Unmapping a hugetlb page that a child still maps should leave HugePages_Rsvd as it is; some kernels lower it",
	.because =
		"The child keeps the page, so no page is freed, and none is reserved again. 6.12.43, and 6.16.12 to 7.1.13, lower HugePages_Rsvd although the page stays (__unmap_hugepage_range()).",
	.said_by = SAID_BY("Documentation/mm/hugetlbfs_reserv.rst"),
	.needs = NEEDS("hugetlb", "guest"),
	.processes = 1,
	.steps = STEPS(STEP_AS(MAP, "write one of three", map_and_write_first),
		       STEP("fork", fork_child), STEP_AS(UNMAP, "unmap it", unmap_first)),
	.facts = FACTS(FACT("hugetlb.reserved_after_unmapping_a_page_that_a_child_maps",
			    "HugePages_Rsvd, when a page that a child maps is unmapped",
			    "stays|falls")),
	.posts = POSTS(VIRT_DATA(1), HUGETLB(1)),
	.judge = judge,
};
