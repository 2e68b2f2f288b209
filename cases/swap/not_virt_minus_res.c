// SPDX-License-Identifier: MIT
/* VIRT - RES is not swap: it includes memory that was never touched and memory that was dropped. */
#include <rssck/case.h>

enum { PAGES = 1024, MEMORY = 0, FILE_PAGES = 1 };
STEP_SYMBOLS(DROP_THE_FILES_PAGES);

static void judge(const struct trial *t, struct judgement *j)
{
	const unsigned from = STEP_BASELINE, to = DROP_THE_FILES_PAGES;

	judge_equal(j, DROP_THE_FILES_PAGES, "VIRT - RES",
		    trial_moved(t, from, to, 0, METRIC_STATM_SIZE) -
			    trial_moved(t, from, to, 0, METRIC_STATM_RESIDENT),
		    2 * PAGES, "VIRT - RES rises by the pages that are mapped and not resident");
	judge_equal_in(j, "kB", DROP_THE_FILES_PAGES, "status.VmSwap",
		       trial_value(t, to, 0, METRIC_STATUS_VMSWAP),
		       trial_value(t, from, 0, METRIC_STATUS_VMSWAP), "no page is on swap");
}

CASE(swap_not_virt_minus_res) {
	.claim = "VIRT - RES is not the swap used: untouched memory and dropped file pages raise "
		 "VIRT - RES, but not SWAP",
	.because = "Old versions of top computed SWAP as VIRT - RES. But address space without a "
		   "resident page may never have been touched, or its page may be in a file. "
		   "Only a swap entry means swap.",
	.said_by = SAID_BY("top(1) before procps 3.3: 'SWAP = VIRT - RES'",
			   "Memory part 2: Understanding Process memory"),
	.steps = STEPS(
		STEP("map", step_map, .slot = MEMORY, .pages = PAGES, MOVES(VIRT_DATA(PAGES))),
		STEP("map a file and read it", step_map_file, .slot = FILE_PAGES, .pages = PAGES,
		     .prot = PROT_READ, .read = PAGES, MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		STEP_AS(DROP_THE_FILES_PAGES, "drop the file's pages", step_advise,
			.slot = FILE_PAGES, .pages = PAGES, .advice = MADV_DONTNEED,
			MOVES(FILE_READ(-PAGES)))),
	.judge = judge,
};
