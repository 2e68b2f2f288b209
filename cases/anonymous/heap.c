// SPDX-License-Identifier: MIT
/* The heap is a mapping like any other: brk changes DATA, touching its pages changes RES. */
#include <rssck/case.h>

enum { PAGES = 256, START = 0 };

static void move_break(struct workload *w)
{
	char *now = workload_break(w, w->argument);

	if (w->argument > 0)
		w->slot[START] = (char *)(((uintptr_t)now + w->page_size - 1) / w->page_size *
					  w->page_size);
}

CASE(anonymous_heap) {
	.claim =
		"Raising the break raises VIRT and DATA; writing to the new heap raises RES; lowering the break lowers all three",
	.because = "brk(2) grows or shrinks the mapping that /proc/PID/maps shows as [heap]; "
		   "shrinking unmaps its pages. malloc(3) lowers the break only when the top of "
		   "the heap is free, so RES may stay high after free(3).",
	.said_by = SAID_BY("brk(2)", "proc_pid_status(5), VmData"),
	.steps = STEPS(
		STEP("raise the break", move_break, .argument = PAGES, MOVES(VIRT_DATA(PAGES))),
		STEP("write the new heap", step_write, .pages = PAGES, MOVES(ANON_WRITE(PAGES))),
		STEP("lower the break by half", move_break, .argument = -(PAGES / 2),
		     MOVES(VIRT_DATA(-(PAGES / 2)), ANON_WRITE(-(PAGES / 2)))),
		STEP("lower it completely", move_break, .argument = -(PAGES - PAGES / 2),
		     MOVES(VIRT_DATA(-(PAGES - PAGES / 2)), ANON_WRITE(-(PAGES - PAGES / 2))))),
};
