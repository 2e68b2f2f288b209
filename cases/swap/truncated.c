// SPDX-License-Identifier: MIT
/* Truncating a file also removes its private copies that are on swap, from VmSwap and from swap. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, FD = 0 };

static void map_and_copy(struct workload *w)
{
	w->fd[FD] = w->argument ? workload_shmem(w, PAGES) : workload_file(w, PAGES);
	w->slot[w->argument] = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE,
						  w->fd[FD]);
	touch_write(w, w->slot[w->argument], PAGES);
}

CASE(swap_truncated) {
	.claim = "Truncating a file removes private copies beyond its new end that are on swap: "
		 "VmSwap falls by them",
	.because = "truncate_pagecache() unmaps with even_cows = 1, and zap_pte_range() then frees "
		   "the swap entries of private copies, too. A copy on swap has no folio that "
		   "says whose it is.",
	.said_by = SAID_BY("truncate(2)", "proc_pid_status(5), VmSwap"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("copy a file", map_and_copy, .argument = 0,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("page the copies out", step_page_out, .slot = 0, PAGED_OUT(PAGES)),
		       STEP("truncate the file to half", step_truncate, .pages = HALF,
			    MOVES(SWAPPED(-HALF))),
		       STEP("truncate it to nothing", step_truncate, .pages = 0,
			    MOVES(SWAPPED(-HALF))),
		       STEP("copy a memfd", map_and_copy, .argument = 1,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("page the copies of the memfd out", step_page_out, .slot = 1,
			    PAGED_OUT(PAGES)),
		       STEP("truncate the memfd to half", step_truncate, .pages = HALF,
			    MOVES(SWAPPED(-HALF)))),
};
