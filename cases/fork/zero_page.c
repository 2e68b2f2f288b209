// SPDX-License-Identifier: MIT
/*
 * If the parent has written a page of a mapping, a forked child maps the mapping's zero pages, too;
 * neither process's RSS counts them.
 */
#include <rssck/case.h>

enum { PAGES = 256, WRITTEN = 8, HALF = PAGES / 2, CHILD = 1 };

CASE(fork_zero_page) {
	.claim =
		"If the parent has written a page of a mapping, a forked child has the mapping's zero pages, too, and no RSS counts them; when the child writes, it gets new pages",
	.because =
		"The written pages give the mapping an anon_vma, so fork copies its page table. vm_normal_page() returns NULL for the zero page's entry, so no counter and no mapcount changes.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst, ZERO_PAGE"),
	.processes = 1,
	.needs = NEEDS("zero_page"),
	.steps = STEPS(STEP("map and read", step_map, .pages = PAGES, .read = PAGES,
			    MOVES(VIRT_DATA(PAGES), ZERO_READ(PAGES))),
		       STEP("write a few", step_write, .pages = WRITTEN,
			    MOVES(ZERO_TO_ANON(WRITTEN))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_DATA(PAGES, .process = CHILD),
				  ZERO_READ(PAGES - WRITTEN, .process = CHILD),
				  SHARED_WITH(CHILD, ANON_WRITE, WRITTEN))),
		       STEP("the child writes half", step_write, .process = CHILD, .first = HALF,
			    .pages = HALF, MOVES(ZERO_TO_ANON(HALF, .process = CHILD))),
		       STEP("the child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(ANON_WRITE, WRITTEN, 2, 1)))),
};
