// SPDX-License-Identifier: MIT
/*
 * After fork a write by the parent copies as one by the child does; the old page is then the
 * child's alone.
 */
#include <rssck/case.h>

enum { PAGES = 256, CHILD = 1 };

CASE(fork_cow_parent_writes) {
	.claim = "A parent that writes after fork copies the page and leaves the old one to the "
		 "child: no RES moves",
	.because = "Whoever writes first copies (wp_page_copy()); the mapcount of the old page "
		   "falls to one, so the other's page is private from then on, and its write finds "
		   "nothing to copy.",
	.said_by = SAID_BY("fork(2)", "Memory part 2: Understanding Process memory"),
	.processes = 1,
	.steps = STEPS(STEP("write", step_map, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_DATA(PAGES, .process = CHILD),
				  SHARED_WITH(CHILD, ANON_WRITE, PAGES))),
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
