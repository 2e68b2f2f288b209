// SPDX-License-Identifier: MIT
/*
 * When a locked stack grows, the new part is locked: VmLck counts its address space, Locked its
 * pages.
 */
#include <rssck/case.h>

/* 512 KiB is deeper than any stack that a step or the engine uses. */
enum { DEEP = 512 << 10, PAGES = 8, EDGE = 0 };

static void reach_down(struct workload *w)
{
	w->slot[EDGE] = workload_stack_down(w, DEEP);
}

/* mlock() of the stack's lowest page splits the mapping; the locked part is the one that grows. */
static void lock_edge(struct workload *w)
{
	if (mlock(w->slot[EDGE], w->page_size) < 0)
		workload_skip(w, "mlock: %m (RLIMIT_MEMLOCK)");
}

static void grow_stack(struct workload *w)
{
	volatile char *edge = w->slot[EDGE];

	for (size_t i = 1; i <= PAGES; i++)
		edge[-(ptrdiff_t)(i * w->page_size)] = 1;
}

CASE(anonymous_locked_stack) {
	.claim = "When a locked stack grows, the new part is locked, too: VmLck, VmStk and "
		 "Locked rise by the same number of pages",
	.because = "expand_downwards() adds the new pages to locked_vm if the stack has "
		   "VM_LOCKED.",
	.said_by = SAID_BY("proc_pid_status(5), VmLck"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP("reach 512 KiB down", reach_down, .flags = STEP_ANY_PAGES),
		       STEP("lock the lowest page", lock_edge, MOVES(ANON_TO_LOCKED(1))),
		       STEP("grow the stack", grow_stack,
			    MOVES(VIRT_STACK(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES)))),
};
