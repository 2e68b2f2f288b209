// SPDX-License-Identifier: MIT
/* fork() copies swap entries: both VmSwap count them in full, each SwapPss counts half. */
#include <rssck/case.h>

enum { PAGES = 256, CHILD = 1 };

CASE(swap_fork_swapped) {
	.claim =
		"After fork each VmSwap counts every swapped page in full, and each SwapPss half of it; only the sum of SwapPss equals the swap that these pages use",
	.because = "copy_nonpresent_pte() copies the swap entry and counts it in the child's "
		   "MM_SWAPENTS. SwapPss divides by swp_swapcount(). When one process reads the "
		   "page back, it is still on swap for the other process.",
	.said_by = SAID_BY("proc_pid_smaps(5), SwapPss", "Documentation/filesystems/proc.rst"),
	.needs = NEEDS("swap"),
	.processes = 1,
	.steps = STEPS(STEP("write and page out", step_map_paged_out, ALL_PAGED_OUT(PAGES)),
		       STEP("fork", step_fork, FORKED(CHILD, SWAPPED, PAGES)),
		       STEP("the child writes", step_write, .pages = PAGES, .process = CHILD,
			    MOVES(SWAPPED(-PAGES, .sharers = 2, .process = CHILD),
				  ANON_WRITE(PAGES, .process = CHILD),
				  RESHARED(SWAPPED, PAGES, 2, 1))),
		       STEP("the child exits", step_reap, .child = CHILD),
		       STEP("the parent writes", step_write, .pages = PAGES,
			    MOVES(SWAPPED(-PAGES), ANON_WRITE(PAGES)))),
};
