// SPDX-License-Identifier: MIT
/*
 * The main thread's stack grows when memory below it is touched. VmStk falls when the stack's lower
 * end is unmapped, not when MADV_DONTNEED drops pages.
 */
#include "stack.h"

enum { PAGES = 32 };

static void *bottom(const struct workload *w)
{
	return (char *)w->slot[EDGE] - PAGES * w->page_size;
}

static void drop(struct workload *w)
{
	workload_advise(w, bottom(w), PAGES * w->page_size, MADV_DONTNEED);
}

static void unmap(struct workload *w)
{
	munmap(bottom(w), PAGES * w->page_size);
}

CASE(anonymous_stack_growth) {
	.claim = "The main thread's stack grows when memory below it is touched; VmStk does not "
		 "fall when MADV_DONTNEED drops its pages",
	.because = "A fault below a VM_GROWSDOWN mapping extends it (expand_stack()). The mapping "
		   "does not shrink when functions return; it shrinks when its lower end is "
		   "unmapped, which programs hardly ever do.",
	.said_by = SAID_BY("proc_pid_status(5), VmStk", "top(1), DATA"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(
		STEP("touch the stack 512 KiB down", reach_down, .flags = STEP_ANY_PAGES),
		STEP("32 pages more", grow_down, .pages = PAGES,
		     MOVES(VIRT_STACK(PAGES), ANON_WRITE(PAGES))),
		STEP("drop the pages", drop, MOVES(ANON_WRITE(-PAGES))),
		STEP("touch them again", grow_down, .pages = PAGES, MOVES(ANON_WRITE(PAGES))),
		STEP("unmap the lower end", unmap, MOVES(VIRT_STACK(-PAGES), ANON_WRITE(-PAGES))),
		STEP("grow again", grow_down, .pages = PAGES,
		     MOVES(VIRT_STACK(PAGES), ANON_WRITE(PAGES)))),
};
