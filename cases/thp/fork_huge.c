// SPDX-License-Identifier: MIT
/*
 * fork() shares huge pages like small ones. When the child writes, it gets copies in small pages.
 */
#include <rssck/case.h>

enum { REGION = 0, CHILD = 1 };

static void fork_child(struct workload *w)
{
	workload_fork(w, CHILD);
	workload_expect(w, VIRT_DATA(w->huge, .process = CHILD),
			SHARED_WITH(CHILD, ANON_HUGE, w->huge));
}

/* Writes all pages, because before 6.11 bit 56 of pagemap was the same for the whole huge page. */
static void write_all(struct workload *w)
{
	touch_write(w, w->slot[REGION], (size_t)w->huge);
	workload_expect(w, ANON_HUGE(-w->huge, .sharers = 2, .process = CHILD),
			ANON_WRITE(w->huge, .process = CHILD), RESHARED(ANON_HUGE, w->huge, 2, 1));
}

CASE(thp_fork_huge) {
	.claim = "After fork each RES counts a huge page in full, and both processes map it by a "
		 "PMD and share it; the child's writes make small copies, and the parent's page "
		 "stays huge",
	.because = "copy_huge_pmd() copies one PMD. When the child writes, its PMD is split and "
		   "its pages are copied one by one. So the child's AnonHugePages falls, and its "
		   "RES does not change.",
	.said_by = SAID_BY("Documentation/mm/transhuge.rst"),
	.needs = NEEDS("thp"),
	.processes = 1,
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", step_huge_page), STEP("fork", fork_child),
		       STEP("the child writes", write_all, .process = CHILD),
		       STEP("the child exits", step_reap, .child = CHILD)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1), ANON_HUGE(1, .sharers = 2)),
};
