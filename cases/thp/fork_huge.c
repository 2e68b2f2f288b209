// SPDX-License-Identifier: MIT
/*
 * fork() shares huge pages like small ones. When the child writes, it gets small pages as copies.
 */
#include <rssck/case.h>

enum { CHILD = 1 };

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
	.steps = STEPS(STEP("touch one huge page", step_huge_page),
		       STEP("fork", step_fork, FORKED(CHILD, ANON_HUGE, THP)),
		       /*
			* The child writes every page: if it wrote only some, bit 56 of pagemap
			* would be wrong for some pages up to 6.10 and since 6.16.
			*/
		       STEP("the child writes", step_write, .pages = THP, .process = CHILD,
			    MOVES(ANON_HUGE(-THP, .sharers = 2, .process = CHILD),
				  ANON_WRITE(THP, .process = CHILD),
				  RESHARED(ANON_HUGE, THP, 2, 1))),
		       STEP("the child exits", step_reap, .child = CHILD)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1), ANON_HUGE(1, .sharers = 2)),
};
