// SPDX-License-Identifier: MIT
/* fork copies all page table entries of a private file mapping if at least one page was written. */
#include <rssck/case.h>

enum { PAGES = 256, WRITTEN = 1, READ = PAGES - WRITTEN, CHILD = 1 };

CASE(fork_file_written) {
	.claim = "If a process has written one page of a private file mapping, its child starts "
		 "with all resident pages of the mapping, shared",
	.because =
		"The write gives the mapping an anon_vma. copy_page_range() then copies all entries of the mapping, because a page fault could not find the written page again. When the child writes a file page, it gets a copy, and the page becomes private to its parent.",
	.said_by = SAID_BY("fork(2)", "mm/memory.c vma_needs_copy()"),
	.processes = 1,
	.steps = STEPS(
		STEP("read, write one", step_map_file, .pages = PAGES, .read = PAGES,
		     .written = WRITTEN,
		     MOVES(VIRT_DATA(PAGES), FILE_READ(READ), ANON_WRITE(WRITTEN))),
		STEP("fork", step_fork, .child = CHILD,
		     MOVES(VIRT_DATA(PAGES, .process = CHILD), SHARED_WITH(CHILD, FILE_READ, READ),
			   SHARED_WITH(CHILD, ANON_WRITE, WRITTEN))),
		STEP("child writes that and one more", step_write, .pages = WRITTEN + 1,
		     .process = CHILD,
		     MOVES(PARTED_FROM(CHILD, ANON_WRITE, WRITTEN), RESHARED(FILE_READ, 1, 2, 1),
			   FILE_READ(-1, .sharers = 2, .process = CHILD),
			   ANON_WRITE(1, .process = CHILD))),
		STEP("child exits", step_reap, .child = CHILD,
		     MOVES(RESHARED(FILE_READ, READ - 1, 2, 1)))),
};
