// SPDX-License-Identifier: MIT
/* Unmapped while it is swapped out, memory leaves VmSwap without having come back. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, QUARTER = PAGES / 4, REGION = 0 };

static void map_and_page_out(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	workload_page_out(w, w->slot[REGION], PAGES);
}

static void dontneed_half(struct workload *w)
{
	workload_must(w, madvise(w->slot[REGION], HALF * w->page_size, MADV_DONTNEED),
		      "MADV_DONTNEED");
}

static void free_lazily(struct workload *w)
{
	char *p = w->slot[REGION];

	workload_must(w, madvise(p + HALF * w->page_size, QUARTER * w->page_size, MADV_FREE),
		      "MADV_FREE");
}

static void unmap(struct workload *w)
{
	munmap(w->slot[REGION], PAGES * w->page_size);
	workload_forget(w, w->slot[REGION]);
}

CASE(swap_munmap_swapped) {
	.claim = "MADV_DONTNEED, MADV_FREE and munmap() of swapped memory take it out of VmSwap "
		 "and bring nothing into RES",
	.because = "zap_pte_range() frees the swap entries that it finds and subtracts them from "
		   "MM_SWAPENTS.",
	.said_by = SAID_BY("proc_pid_status(5), VmSwap"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write and page out", map_and_page_out,
			    MOVES(VIRT_DATA(PAGES), SWAPPED(PAGES))),
		       STEP("MADV_DONTNEED half", dontneed_half, MOVES(SWAPPED(-HALF))),
		       STEP("MADV_FREE a quarter", free_lazily, MOVES(SWAPPED(-QUARTER))),
		       STEP("unmap", unmap, MOVES(VIRT_DATA(-PAGES), SWAPPED(-QUARTER)))),
};
