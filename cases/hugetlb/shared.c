// SPDX-License-Identifier: MIT
/* A shared hugetlb page that is mapped twice is Shared_Hugetlb and in no RSS. */
#include "pages.h"

enum { FIRST = 0, SECOND = 1, FD = 0 };

static void map_and_write(struct workload *w)
{
	w->fd[FD] = workload_hugetlb_file(w, 1, &w->number[BYTES]);
	w->slot[FIRST] = workload_hugetlb_map(w, (size_t)w->number[BYTES], w->fd[FD]);
	touch_write(w, w->slot[FIRST], 1);
	workload_expect(w, VIRT_OTHER(pages(w)), HUGETLB(pages(w)));
}

static void map_again(struct workload *w)
{
	w->slot[SECOND] = workload_hugetlb_map(w, (size_t)w->number[BYTES], w->fd[FD]);
	touch_read(w, w->slot[SECOND], 1);
	workload_expect(w, VIRT_OTHER(pages(w)), HUGETLB(-pages(w)),
			HUGETLB(2 * pages(w), .sharers = 2));
}

static void unmap_second(struct workload *w)
{
	workload_unmap(w, w->slot[SECOND], (size_t)w->number[BYTES]);
	workload_expect(w, VIRT_OTHER(-pages(w)), HUGETLB(-2 * pages(w), .sharers = 2),
			HUGETLB(pages(w)));
}

CASE(hugetlb_shared) {
	.claim = "HugetlbPages and Shared_Hugetlb count a hugetlb page twice if a process maps it "
		 "twice; no RSS counts it",
	.because = "HugetlbPages counts page table entries, as RSS does, in a separate counter. "
		   "No field shows a proportional share of hugetlb pages.",
	.said_by = SAID_BY("proc_pid_smaps(5)", "memfd_create(2), MFD_HUGETLB"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map and write", map_and_write), STEP("map again", map_again),
		       STEP("unmap the second", unmap_second)),
	.posts = POSTS(VIRT_OTHER(1), HUGETLB(1), HUGETLB(1, .sharers = 2)),
};
