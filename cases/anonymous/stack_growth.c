// SPDX-License-Identifier: MIT
/*
 * The main thread's stack grows when it is touched: VmStk rises page by page and never falls by
 * itself.
 */
#include <rssck/case.h>

/* 512 KiB is deeper than any stack that a step or the engine uses. */
enum { DEEP = 512 << 10, PAGES = 32, EDGE = 0 };

static void reach_down(struct workload *w)
{
	w->slot[EDGE] = workload_stack_down(w, DEEP);
}

static void grow(struct workload *w)
{
	volatile char *edge = w->slot[EDGE];

	for (size_t i = 1; i <= PAGES; i++)
		edge[-(ptrdiff_t)(i * w->page_size)] = 1;
}

static void *bottom(const struct workload *w)
{
	return (char *)w->slot[EDGE] - PAGES * w->page_size;
}

static void drop(struct workload *w)
{
	workload_must(w, madvise(bottom(w), PAGES * w->page_size, MADV_DONTNEED), "MADV_DONTNEED");
}

static void unmap(struct workload *w)
{
	munmap(bottom(w), PAGES * w->page_size);
}

CASE(anonymous_stack_growth) {
	.claim = "The main thread's stack grows when it is touched; VmStk does not fall when "
		 "MADV_DONTNEED drops its pages",
	.because = "A fault below a VM_GROWSDOWN mapping extends it (expand_stack()). Nothing "
		   "shrinks the mapping when functions return. Only munmap(2) of its lower end "
		   "does, which hardly any program calls.",
	.said_by = SAID_BY("proc_pid_status(5), VmStk", "top(1), DATA"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP("reach 512 KiB down", reach_down, .flags = STEP_ANY_PAGES),
		       STEP("32 pages more", grow, MOVES(VIRT_STACK(PAGES), ANON_WRITE(PAGES))),
		       STEP("drop the pages", drop, MOVES(ANON_WRITE(-PAGES))),
		       STEP("touch them again", grow, MOVES(ANON_WRITE(PAGES))),
		       STEP("unmap the lower end", unmap,
			    MOVES(VIRT_STACK(-PAGES), ANON_WRITE(-PAGES))),
		       STEP("grow again", grow, MOVES(VIRT_STACK(PAGES), ANON_WRITE(PAGES)))),
};
