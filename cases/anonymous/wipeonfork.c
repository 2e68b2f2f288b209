// SPDX-License-Identifier: MIT
/* With MADV_WIPEONFORK the child inherits the mapping without its pages. */
#include <rssck/case.h>

enum { PAGES = 256, CHILD = 1 };

CASE(anonymous_wipeonfork) {
	.claim = "A child inherits a MADV_WIPEONFORK mapping only as address space: no page is "
		 "shared or resident",
	.because = "dup_mmap() copies the mapping, but not its page tables (VM_WIPEONFORK). The "
		   "child's first write allocates a new page.",
	.said_by = SAID_BY("madvise(2), MADV_WIPEONFORK"),
	.processes = 1,
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES), .advice = MADV_WIPEONFORK),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_DATA(PAGES, .process = CHILD))),
		       STEP("child writes half", step_write, .pages = PAGES / 2, .process = CHILD,
			    MOVES(ANON_WRITE(PAGES / 2, .process = CHILD))),
		       STEP("parent writes again", step_rewrite, .pages = PAGES / 2, .checks = 1),
		       STEP("child exits", step_reap, .child = CHILD)),
};
