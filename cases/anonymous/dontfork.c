// SPDX-License-Identifier: MIT
/* MADV_DONTFORK keeps a mapping out of the child; MADV_DOFORK lets the next child inherit it. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, FIRST = 1, SECOND = 2 };

static void fork_second(struct workload *w)
{
	workload_advise(w, w->slot[REGION], PAGES * w->page_size, MADV_DOFORK);
	workload_fork(w, SECOND);
}

CASE(anonymous_dontfork) {
	.claim = "A child does not inherit its parent's MADV_DONTFORK memory: neither its pages "
		 "nor its address space",
	.because = "dup_mmap() skips mappings with VM_DONTCOPY, and subtracts their pages from "
		   "the child's total_vm and from data_vm, stack_vm or exec_vm.",
	.said_by = SAID_BY("madvise(2), MADV_DONTFORK"),
	.processes = 2,
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES), .advice = MADV_DONTFORK),
		       STEP("fork", step_fork, .child = FIRST),
		       STEP("MADV_DOFORK, fork", fork_second,
			    MOVES(VIRT_DATA(PAGES, .process = SECOND),
				  SHARED_WITH(SECOND, ANON_WRITE, PAGES))),
		       STEP("second child exits", step_reap, .child = SECOND,
			    MOVES(RESHARED(ANON_WRITE, PAGES, 2, 1)))),
};
