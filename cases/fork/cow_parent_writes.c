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

#define PARTED(pages)                                              \
	RESHARED(PARENT, ACCOUNT_ANON, PAGE_DIRTY, (pages), 2, 1), \
		RESHARED(CHILD, ACCOUNT_ANON, PAGE_DIRTY, (pages), 2, 1)

CASE(fork_cow_parent_writes) {
	.claim = "A parent that writes after fork copies the page and leaves the old one to the "
		 "child: no RES moves",
	.because = "Whoever writes first copies (wp_page_copy()); the mapcount of the old page "
		   "falls to one, so the other's page is private from then on, and its write finds "
		   "nothing to copy.",
	.said_by = SAID_BY("fork(2)", "Memory part 2: Understanding Process memory"),
	.processes = 1,
	.steps = STEPS(STEP("write", map_and_write, VIRT_DATA(PAGES), ANON_WRITE(PAGES)),
		       STEP("fork", workload_fork_child,
			    RESHARED(PARENT, ACCOUNT_ANON, PAGE_DIRTY, PAGES, 1, 2),
			    { ACCOUNT_PRIVATE_WRITABLE, PAGES, 0, 0, CHILD },
			    { ACCOUNT_ANON, PAGES, PAGE_DIRTY, 2, CHILD }),
		       STEP("parent writes one", write_one, PARTED(1)),
		       STEP("parent writes half", write_half, PARTED(PAGES / 2 - 1)),
		       STEP_OF(CHILD, "child writes half", write_half),
		       STEP_OF(CHILD, "child writes all", write_all, PARTED(PAGES / 2)),
		       STEP("child exits", workload_reap_child)),
};
