// SPDX-License-Identifier: MIT
/* After fork the parent's write copies as the child's does; the page left behind is the child's. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, PARENT = 0, CHILD = 1 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
}

static void write_one(struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
}

static void write_half(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES / 2);
}

static void write_all(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

CASE(fork_cow_parent_writes) {
	.claim = "A parent that writes after fork copies the page and leaves the old one to the "
		 "child: no RES moves",
	.because = "Whoever writes first copies (wp_page_copy()); the mapcount of the old page "
		   "falls to one, so the other's page is private from then on, and its write finds "
		   "nothing to copy.",
	.said_by = SAID_BY("fork(2)", "Memory part 2: Understanding Process memory"),
	.processes = 1,
	.steps = STEPS(
		STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		STEP("fork", step_fork, .child = CHILD,
		     MOVES(RESHARED(ANON_WRITE, PAGES, 1, 2), VIRT_DATA(PAGES, .process = CHILD),
			   ANON_WRITE(PAGES, .sharers = 2, .process = CHILD))),
		STEP("parent writes one", write_one, MOVES(PARTED_FROM(CHILD, ANON_WRITE, 1))),
		STEP("parent writes half", write_half,
		     MOVES(PARTED_FROM(CHILD, ANON_WRITE, PAGES / 2 - 1))),
		STEP("child writes half", write_half, .process = CHILD),
		STEP("child writes all", write_all, .process = CHILD,
		     MOVES(PARTED_FROM(CHILD, ANON_WRITE, PAGES / 2))),
		STEP("child exits", step_reap, .child = CHILD)),
};
