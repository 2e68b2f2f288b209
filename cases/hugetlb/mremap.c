// SPDX-License-Identifier: MIT
/* mremap moves hugetlb pages and changes no number. */
#include "pages.h"

enum { REGION = 0, FD = 0 };

static void map_and_write(struct workload *w)
{
	w->fd[FD] = workload_hugetlb_file(w, 1, &w->number[BYTES]);
	w->slot[REGION] = workload_hugetlb_map(w, (size_t)w->number[BYTES], w->fd[FD]);
	touch_write(w, w->slot[REGION], 1);
	workload_expect(w, VIRT_OTHER(pages(w)), HUGETLB(pages(w)));
}

static void move(struct workload *w)
{
	size_t bytes = (size_t)w->number[BYTES];
	void *to = workload_aligned_map(w, bytes, bytes, -1);

	if (mremap(w->slot[REGION], bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) ==
	    MAP_FAILED) {
		munmap(to, bytes);
		workload_skip(w, "mremap of hugetlb (Linux 5.16): %m");
	}
	workload_forget(w, w->slot[REGION]);
	w->slot[REGION] = to;
	workload_must_hold(w, to, 1, true);
}

CASE(hugetlb_mremap) {
	.claim = "A hugetlb page that mremap moves stays in HugetlbPages",
	.because = "move_hugetlb_page_tables() moves the page table entry to the new place and "
		   "does not change hugetlb_usage.",
	.said_by = SAID_BY("mremap(2)", "proc_pid_status(5), HugetlbPages"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map and write", map_and_write), STEP("mremap", move, .checks = 1),
		       STEP("write the page", step_rewrite, .pages = 1, .checks = 1)),
	.posts = POSTS(VIRT_OTHER(1), HUGETLB(1)),
};
