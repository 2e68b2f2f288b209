// SPDX-License-Identifier: MIT
/*
 * A child's RES starts without its parent's shared memory, and counts it when the child touches it.
 */
#include <rssck/case.h>

enum { PAGES = 256, CHILD = 1 };

CASE(shmem_fork) {
	.claim = "A child's RES starts without its parent's shared memory; RES of both processes "
		 "counts in full the pages that both have touched",
	.because = "fork() does not copy page tables of a mapping whose pages a fault can get "
		   "from the file. Each RES counts every page that its process maps; only Pss "
		   "divides it.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory"),
	.processes = 1,
	.steps = STEPS(
		STEP("write", step_map, .pages = PAGES, .mapping = MAP_SHARED, .written = PAGES,
		     MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		STEP("fork", step_fork, .child = CHILD, MOVES(VIRT_OTHER(PAGES, .process = CHILD))),
		STEP("child writes half", step_write, .pages = PAGES / 2, .process = CHILD,
		     MOVES(SHARED_WITH(CHILD, SHMEM_WRITE, PAGES / 2))),
		STEP("child writes the rest", step_write, .first = PAGES / 2, .pages = PAGES / 2,
		     .process = CHILD, MOVES(SHARED_WITH(CHILD, SHMEM_WRITE, PAGES / 2))),
		STEP("child exits", step_reap, .child = CHILD,
		     MOVES(RESHARED(SHMEM_WRITE, PAGES, 2, 1)))),
};
