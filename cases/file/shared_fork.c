// SPDX-License-Identifier: MIT
/*
 * fork() copies no page tables of a shared file mapping, so the child's RES starts without its
 * pages.
 */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, CHILD = 1 };

static void unmap(struct workload *w)
{
	workload_needs_lazy_writes(w, w->fd[0]);
	step_unmap(w);
}

CASE(file_shared_fork) {
	.claim = "A child inherits a shared file mapping without its pages; pages that the child "
		 "touches are in the RES of both, and stay in the child's RES when the parent "
		 "unmaps the file",
	.because =
		"vma_needs_copy() returns false for an ordinary shared mapping, because page faults can map its pages from the file again. The pages belong to the file, so a process that unmaps the file does not remove them from the other's RES.",
	.said_by = SAID_BY("fork(2)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(
		STEP("map and write", step_map_file, .pages = PAGES, .mapping = MAP_SHARED,
		     .written = PAGES, MOVES(VIRT_OTHER(PAGES), FILE_WRITE(PAGES))),
		STEP("fork", step_fork, .child = CHILD, MOVES(VIRT_OTHER(PAGES, .process = CHILD))),
		STEP("the child writes half", step_write, .pages = HALF, .process = CHILD,
		     MOVES(SHARED_WITH(CHILD, FILE_WRITE, HALF))),
		STEP("the parent unmaps", unmap, .pages = PAGES,
		     MOVES(VIRT_OTHER(-PAGES), FILE_WRITE(-HALF, .sharers = 2), FILE_WRITE(-HALF),
			   RESHARED(FILE_WRITE, HALF, 2, 1, .process = CHILD)))),
};
