// SPDX-License-Identifier: MIT
/* fork copies all page tables of a private file mapping once a page of it was written. */
#include <rssck/case.h>

enum { PAGES = 256, WRITTEN = 1, READ = PAGES - WRITTEN, CHILD = 1 };

CASE(fork_file_written) {
	.claim = "If one page of a private file mapping was written before fork, the child starts "
		 "with all resident pages of the mapping, shared",
	.because = "The write gave the mapping an anon_vma, and copy_page_range() then copies "
		   "every entry of it: no fault could bring the written page back. When the child "
		   "writes a file page, only the child's numbers move.",
	.said_by = SAID_BY("fork(2)", "mm/memory.c vma_needs_copy()"),
	.processes = 1,
	.steps = STEPS(
		STEP("read, write one", step_map_file, .pages = PAGES, .read = PAGES,
		     .written = WRITTEN,
		     MOVES(VIRT_DATA(PAGES), FILE_READ(READ), ANON_WRITE(WRITTEN))),
		STEP("fork", step_fork, .child = CHILD,
		     MOVES(VIRT_DATA(PAGES, .process = CHILD), SHARED_WITH(CHILD, FILE_READ, READ),
			   SHARED_WITH(CHILD, ANON_WRITE, WRITTEN))),
		STEP("child writes it, and a second", step_write, .pages = WRITTEN + 1,
		     .process = CHILD,
		     MOVES(PARTED_FROM(CHILD, ANON_WRITE, WRITTEN), RESHARED(FILE_READ, 1, 2, 1),
			   FILE_READ(-1, .sharers = 2, .process = CHILD),
			   ANON_WRITE(1, .process = CHILD))),
		STEP("child exits", step_reap, .child = CHILD,
		     MOVES(RESHARED(FILE_READ, READ - 1, 2, 1)))),
};
