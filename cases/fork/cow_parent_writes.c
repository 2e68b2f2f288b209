// SPDX-License-Identifier: MIT
/* When the parent writes after fork, the parent gets a copy and the child keeps the old page. */
#include <rssck/case.h>

enum { PAGES = 256, CHILD = 1 };

CASE(fork_cow_parent_writes) {
	.claim = "When a parent writes after fork, the parent gets a copy and the child keeps "
		 "the old page; no RES changes",
	.because = "The first process that writes a shared page copies it (wp_page_copy()), and "
		   "the old page's mapcount falls to 1. The other process then has the old page "
		   "alone, so its write copies nothing.",
	.said_by = SAID_BY("fork(2)", "Memory part 2: Understanding Process memory"),
	.processes = 1,
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP("fork", step_fork, FORKED(CHILD, ANON_WRITE, PAGES)),
		       STEP("parent writes one", step_write, .pages = 1,
			    MOVES(PARTED_FROM(CHILD, ANON_WRITE, 1))),
		       STEP("parent writes half", step_write, .pages = PAGES / 2,
			    MOVES(PARTED_FROM(CHILD, ANON_WRITE, PAGES / 2 - 1))),
		       STEP("child writes half", step_rewrite, .pages = PAGES / 2, .checks = 1,
			    .process = CHILD),
		       STEP("child writes all", step_write, .pages = PAGES, .process = CHILD,
			    MOVES(PARTED_FROM(CHILD, ANON_WRITE, PAGES / 2))),
		       STEP("child exits", step_reap, .child = CHILD)),
};
