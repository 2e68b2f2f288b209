// SPDX-License-Identifier: MIT
/* fork copies no page tables of a file mapping that nobody wrote to. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, PARENT = 0, CHILD = 1 };

static void map_and_read(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				       workload_file(w, PAGES), 0);
	touch_read(w, w->slot[REGION], PAGES);
}

static void read_all(struct workload *w)
{
	touch_read(w, w->slot[REGION], PAGES);
}

CASE(fork_file_untouched) {
	.claim = "A child starts without its parent's pages of a file that was only read; reading "
		 "maps them, shared",
	.because = "copy_page_range() skips a mapping without an anon_vma, because a fault can "
		   "bring back all of it. So right after fork a child's RES is less than its "
		   "parent's, though both see the same memory.",
	.said_by = SAID_BY("fork(2)", "mm/memory.c vma_needs_copy()"),
	.processes = 1,
	.steps = STEPS(STEP("read", map_and_read, MOVES(VIRT_DATA(PAGES), FILE_READ(PAGES))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_DATA(PAGES, .process = CHILD))),
		       STEP("child reads", read_all, .process = CHILD,
			    MOVES(RESHARED(FILE_READ, PAGES, 1, 2),
				  FILE_READ(PAGES, .sharers = 2, .process = CHILD))),
		       STEP("child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(FILE_READ, PAGES, 2, 1)))),
};
