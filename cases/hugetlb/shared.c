// SPDX-License-Identifier: MIT
/* Shared hugetlb pages: mapped twice they are Shared_Hugetlb, still in no RSS. */
#include <rssck/case.h>

enum { FIRST = 0, SECOND = 1, FD = 0, BYTES = 0 };

static int64_t pages(const struct workload *w)
{
	return w->number[BYTES] / (int64_t)w->page_size;
}

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
	.claim = "A hugetlb page that is mapped twice counts twice in HugetlbPages and in "
		 "Shared_Hugetlb, and in no RSS",
	.because = "HugetlbPages counts page table entries, as RSS does, in a counter of its own; "
		   "no field shows a proportional share of it.",
	.said_by = SAID_BY("proc_pid_smaps(5)", "memfd_create(2), MFD_HUGETLB"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map and write", map_and_write), STEP("map again", map_again),
		       STEP("unmap one", unmap_second)),
	.posts = POSTS(VIRT_OTHER(1), HUGETLB(1), HUGETLB(1, .sharers = 2)),
};
