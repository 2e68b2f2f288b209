// SPDX-License-Identifier: MIT
/* fork() shares huge pages as it does small ones; the child's write copies small pages. */
#include <rssck/case.h>

enum { REGION = 0, CHILD = 1 };

static void fork_child(struct workload *w)
{
	workload_fork(w, CHILD);
	workload_expect(w, VIRT_DATA(w->huge, .process = CHILD),
			SHARED_WITH(CHILD, ANON_HUGE, w->huge));
}

/* All of it: PM_MMAP_EXCLUSIVE was one bit for the whole huge page before 6.11. */
static void write_all(struct workload *w)
{
	touch_write(w, w->slot[REGION], (size_t)w->huge);
	workload_expect(w, ANON_HUGE(-w->huge, .sharers = 2, .process = CHILD),
			ANON_WRITE(w->huge, .process = CHILD), RESHARED(ANON_HUGE, w->huge, 2, 1));
}

CASE(thp_fork_huge) {
	.claim = "After fork a huge page is whole in both RES, shared, and huge in both; the "
		 "child's writes make small copies, the parent's page stays huge",
	.because = "copy_huge_pmd() copies one PMD. On a write the child's PMD is split and its "
		   "pages are copied one by one: AnonHugePages falls though RES does not move.",
	.said_by = SAID_BY("Documentation/mm/transhuge.rst"),
	.needs = NEEDS("thp"),
	.processes = 1,
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", step_huge_page), STEP("fork", fork_child),
		       STEP("the child writes", write_all, .process = CHILD),
		       STEP("the child exits", step_reap, .child = CHILD)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1), ANON_HUGE(1, .sharers = 2)),
};
