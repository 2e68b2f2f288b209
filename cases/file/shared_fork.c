// SPDX-License-Identifier: MIT
/* fork() copies no page tables of a shared file mapping: the child's RES begins without it. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0, PARENT = 0, CHILD = 1 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
				       workload_file(w, PAGES), 0);
	touch_write(w, w->slot[REGION], PAGES);
}

static void write_half(struct workload *w)
{
	touch_write(w, w->slot[REGION], HALF);
}

static void let_go(struct workload *w)
{
	munmap(w->slot[REGION], PAGES * w->page_size);
	workload_forget(w, w->slot[REGION]);
}

CASE(file_shared_fork) {
	.claim = "A child inherits a shared file mapping without its pages; pages that it touches "
		 "are in both RES, and stay in the child's when the parent unmaps",
	.because = "vma_needs_copy() is false where a fault can get the page from the file again. "
		   "The pages belong to the file: they outlive either mapping.",
	.said_by = SAID_BY("fork(2)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(
		STEP("map and write", map_and_write, MOVES(VIRT_OTHER(PAGES), FILE_WRITE(PAGES))),
		STEP("fork", step_fork, .child = CHILD, MOVES(VIRT_OTHER(PAGES, .process = CHILD))),
		STEP("the child writes half", write_half, .process = CHILD,
		     MOVES(RESHARED(FILE_WRITE, HALF, 1, 2),
			   FILE_WRITE(HALF, .sharers = 2, .process = CHILD))),
		STEP("the parent unmaps", let_go,
		     MOVES(VIRT_OTHER(-PAGES), FILE_WRITE(-HALF, .sharers = 2), FILE_WRITE(-HALF),
			   RESHARED(FILE_WRITE, HALF, 2, 1, .process = CHILD)))),
};
