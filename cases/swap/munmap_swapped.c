// SPDX-License-Identifier: MIT
/* Swapped memory that is unmapped leaves VmSwap without being read back. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, QUARTER = PAGES / 4 };

CASE(swap_munmap_swapped) {
	.claim = "MADV_DONTNEED, MADV_FREE and munmap() remove swapped memory from VmSwap and "
		 "add nothing to RES",
	.because =
		"zap_pte_range(), and madvise_free_pte_range() for MADV_FREE, free the swap entries that they find and subtract them from MM_SWAPENTS.",
	.said_by = SAID_BY("proc_pid_status(5), VmSwap"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write and page out", step_map_paged_out, ALL_PAGED_OUT(PAGES)),
		       STEP("MADV_DONTNEED half", step_advise, .pages = HALF,
			    .advice = MADV_DONTNEED, MOVES(SWAPPED(-HALF))),
		       STEP("MADV_FREE a quarter", step_advise, .first = HALF, .pages = QUARTER,
			    .advice = MADV_FREE, MOVES(SWAPPED(-QUARTER))),
		       STEP("unmap", step_unmap, .pages = PAGES,
			    MOVES(VIRT_DATA(-PAGES), SWAPPED(-QUARTER)))),
};
