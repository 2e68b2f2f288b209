// SPDX-License-Identifier: MIT
/* Mapping memory raises VIRT and DATA; touching it raises RES, page by page. */
#include <rssck/case.h>

enum { PAGES = 256 };

CASE(anonymous_reserve_touch) {
	.claim =
		"Mapping private writable memory raises VIRT and DATA, but not RES; writing to it raises RES, one page at a time without huge pages and large folios",
	.because = "mmap() adds address space. The first write to a page faults in a zeroed page; "
		   "without large folios each such fault raises MM_ANONPAGES by one.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory"),
	.steps = STEPS(STEP("map", step_map, .pages = PAGES, MOVES(VIRT_DATA(PAGES))),
		       STEP("touch the first page", step_write, .pages = 1, MOVES(ANON_WRITE(1))),
		       STEP("touch the second page", step_write, .first = 1, .pages = 1,
			    MOVES(ANON_WRITE(1))),
		       STEP("touch up to half", step_write, .first = 2, .pages = PAGES / 2 - 2,
			    MOVES(ANON_WRITE(PAGES / 2 - 2))),
		       STEP("touch the rest", step_write, .first = PAGES / 2, .pages = PAGES / 2,
			    MOVES(ANON_WRITE(PAGES / 2))),
		       STEP("write again", step_rewrite, .pages = PAGES, .checks = 1),
		       STEP("unmap half", step_unmap, .first = PAGES / 2, .pages = PAGES / 2,
			    MOVES(VIRT_DATA(-(PAGES / 2)), ANON_WRITE(-(PAGES / 2))))),
};
