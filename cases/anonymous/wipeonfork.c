// SPDX-License-Identifier: MIT
/* MADV_WIPEONFORK: the child has the mapping, and no page of it. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, PARENT = 0, CHILD = 1 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	if (madvise(w->slot[REGION], PAGES * w->page_size, MADV_WIPEONFORK) < 0)
		workload_skip(w, "MADV_WIPEONFORK: %m");
}

static void write_half(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES / 2);
}

CASE(anonymous_wipeonfork) {
	.claim = "A child gets a MADV_WIPEONFORK mapping as address space only: nothing is shared, "
		 "nothing is resident",
	.because = "dup_mmap() copies the mapping and none of its page tables (VM_WIPEONFORK); the "
		   "child's first write allocates a page of its own.",
	.said_by = SAID_BY("madvise(2), MADV_WIPEONFORK"),
	.processes = 1,
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_DATA(PAGES, .process = CHILD))),
		       STEP("child writes half", write_half, .process = CHILD,
			    MOVES(ANON_WRITE(PAGES / 2, .process = CHILD))),
		       STEP("parent writes again", write_half),
		       STEP("child exits", step_reap, .child = CHILD)),
};
