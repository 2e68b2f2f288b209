// SPDX-License-Identifier: MIT
/* A forked child's RES begins without its parent's shared memory and gains it by touching. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, PARENT = 0, CHILD = 1 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	touch_write(w, w->slot[REGION], PAGES);
}

static void write_half(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES / 2);
}

static void write_rest(struct workload *w)
{
	touch_write(w, (char *)w->slot[REGION] + PAGES / 2 * w->page_size, PAGES / 2);
}

CASE(shmem_fork) {
	.claim = "A child's RES starts without the parent's shared memory; what both touch counts "
		 "in full in both",
	.because = "fork() copies no page tables of a mapping that can be faulted in again from "
		   "its file. Each process counts each page that it maps; only Pss divides it.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory"),
	.processes = 1,
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_OTHER(PAGES, .process = CHILD))),
		       STEP("child writes half", write_half, .process = CHILD,
			    MOVES(SHARED_WITH(CHILD, SHMEM_WRITE, PAGES / 2))),
		       STEP("child writes the rest", write_rest, .process = CHILD,
			    MOVES(SHARED_WITH(CHILD, SHMEM_WRITE, PAGES / 2))),
		       STEP("child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(SHMEM_WRITE, PAGES, 2, 1)))),
};
