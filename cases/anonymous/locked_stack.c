// SPDX-License-Identifier: MIT
/*
 * When a locked stack grows, the new part is locked: VmLck counts its address space, and Locked
 * its Pss.
 */
#include "stack.h"

enum { PAGES = 8 };

/* mlock() of the stack's lowest page splits the mapping; the locked part is the one that grows. */
static void lock_edge(struct workload *w)
{
	if (mlock(w->slot[EDGE], w->page_size) < 0)
		workload_skip(w, "mlock: %m (RLIMIT_MEMLOCK)");
}

CASE(anonymous_locked_stack) {
	.claim = "When a locked stack grows page by page, the new part is locked, too: VmLck, "
		 "VmStk and Locked rise by the same number of pages",
	.because = "expand_downwards() adds the new pages to locked_vm if the stack has "
		   "VM_LOCKED.",
	.said_by = SAID_BY("proc_pid_status(5), VmLck"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP("touch the stack 512 KiB down", reach_down, .flags = STEP_ANY_PAGES),
		       STEP("lock the lowest page", lock_edge, MOVES(ANON_TO_LOCKED(1))),
		       STEP("grow the stack", grow_down, .pages = PAGES,
			    MOVES(VIRT_STACK(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES)))),
};
