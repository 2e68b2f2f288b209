// SPDX-License-Identifier: MIT
/* fork copies all page tables of a private file mapping once a page of it was written. */
#include <rssck/case.h>

enum { PAGES = 256, WRITTEN = 1, READ = PAGES - WRITTEN, REGION = 0, PARENT = 0, CHILD = 1 };

static void map_and_write_one(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				       workload_file(w, PAGES), 0);
	touch_read(w, w->slot[REGION], PAGES);
	touch_write(w, w->slot[REGION], WRITTEN);
}

static void write_two(struct workload *w)
{
	touch_write(w, w->slot[REGION], WRITTEN + 1);
}

CASE(fork_file_written) {
	.claim = "After one written page, a child starts with all resident pages of a private file "
		 "mapping, shared",
	.because = "The write gave the mapping an anon_vma, and copy_page_range() then copies "
		   "every entry of it: no fault could bring the written page back. When the child "
		   "writes a file page, only the child's numbers move.",
	.said_by = SAID_BY("fork(2)", "mm/memory.c vma_needs_copy()"),
	.processes = 1,
	.steps = STEPS(STEP("read, write one", map_and_write_one,
			    MOVES(VIRT_DATA(PAGES), FILE_READ(READ), ANON_WRITE(WRITTEN))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(RESHARED(FILE_READ, READ, 1, 2),
				  RESHARED(ANON_WRITE, WRITTEN, 1, 2),
				  VIRT_DATA(PAGES, .process = CHILD),
				  FILE_READ(READ, .sharers = 2, .process = CHILD),
				  ANON_WRITE(WRITTEN, .sharers = 2, .process = CHILD))),
		       STEP("child writes it, and a second", write_two, .process = CHILD,
			    MOVES(RESHARED(ANON_WRITE, WRITTEN, 2, 1),
				  RESHARED(ANON_WRITE, WRITTEN, 2, 1, .process = CHILD),
				  RESHARED(FILE_READ, 1, 2, 1),
				  FILE_READ(-1, .sharers = 2, .process = CHILD),
				  ANON_WRITE(1, .process = CHILD))),
		       STEP("child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(FILE_READ, READ - 1, 2, 1)))),
};
