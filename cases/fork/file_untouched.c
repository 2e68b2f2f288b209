// SPDX-License-Identifier: MIT
/* fork copies no page tables of a file mapping that was only read. */
#include <rssck/case.h>

enum { PAGES = 256, CHILD = 1 };

CASE(fork_file_untouched) {
	.claim = "A child starts without the pages of a file mapping that its parent only read; "
		 "when the child reads them, they become shared",
	.because = "copy_page_range() skips a mapping without an anon_vma, because page faults "
		   "can map its pages again. So a child's RES right after fork is smaller than "
		   "its parent's, although both can access the same memory.",
	.said_by = SAID_BY("fork(2)", "mm/memory.c vma_needs_copy()"),
	.processes = 1,
	.steps = STEPS(STEP("read", step_map_file, .pages = PAGES, .read = PAGES,
			    MOVES(VIRT_DATA(PAGES), FILE_READ(PAGES))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_DATA(PAGES, .process = CHILD))),
		       STEP("child reads", step_read, .pages = PAGES, .process = CHILD,
			    MOVES(SHARED_WITH(CHILD, FILE_READ, PAGES))),
		       STEP("child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(FILE_READ, PAGES, 2, 1)))),
};
