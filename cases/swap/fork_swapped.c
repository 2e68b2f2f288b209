// SPDX-License-Identifier: MIT
/* fork() copies swap entries: whole in both VmSwap, half in each SwapPss. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, PARENT = 0, CHILD = 1 };

static void map_and_page_out(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	workload_page_out(w, w->slot[REGION], PAGES);
}

static void write_all(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

CASE(swap_fork_swapped) {
	.claim = "After fork both processes count each swapped page whole in VmSwap and half in "
		 "SwapPss; only the sum of SwapPss is swap",
	.because = "copy_nonpresent_pte() duplicates the entry and counts MM_SWAPENTS in the "
		   "child. SwapPss divides by swp_swapcount(). Brought back by one, a page is "
		   "swapped for the other still.",
	.said_by = SAID_BY("proc_pid_smaps(5), SwapPss", "Documentation/filesystems/proc.rst"),
	.needs = NEEDS("swap"),
	.processes = 1,
	.steps = STEPS(
		STEP("write and page out", map_and_page_out, VIRT_DATA(PAGES), SWAPPED(PAGES)),
		STEP("fork", workload_fork_child, RESHARED(PARENT, ACCOUNT_SWAP, 0, PAGES, 1, 2),
		     { ACCOUNT_PRIVATE_WRITABLE, PAGES, 0, 0, CHILD },
		     { ACCOUNT_SWAP, PAGES, 0, 2, CHILD }),
		STEP_OF(CHILD, "the child writes", write_all, { ACCOUNT_SWAP, -PAGES, 0, 2, CHILD },
			{ ACCOUNT_ANON, PAGES, PAGE_DIRTY, 1, CHILD },
			RESHARED(PARENT, ACCOUNT_SWAP, 0, PAGES, 2, 1)),
		STEP("the child exits", workload_reap_child),
		STEP("the parent writes", write_all, SWAPPED(-PAGES), ANON_WRITE(PAGES))),
};
