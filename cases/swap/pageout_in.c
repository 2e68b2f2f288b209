// SPDX-License-Identifier: MIT
/*
 * A page that is swapped out moves from RSS to VmSwap and Swap. A page that is read back may be
 * clean or dirty.
 */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0, CLEAN = 0 };
STEP_SYMBOLS(READ_HALF);

/*
 * On 7.2.13 the pages are clean if swap is a disk, and dirty if it is zram, which frees its copy.
 * On 6.12.117 they are clean in both cases.
 */
static void read_half(struct workload *w)
{
	workload_must_hold(w, w->slot[REGION], HALF, true);
	w->number[CLEAN] = workload_pages_clean(w, w->slot[REGION]);
	workload_report(w, "clean", w->number[CLEAN]);
	workload_expect(w, ANON_CLEAN(w->number[CLEAN]), ANON_WRITE(HALF - w->number[CLEAN]));
}

static void write_half(struct workload *w)
{
	workload_rewrite(w, w->slot[REGION], HALF);
	workload_expect(w, ANON_CLEAN(-w->number[CLEAN]), ANON_WRITE(w->number[CLEAN]));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t clean = trial_reported(t, READ_HALF, "clean");

	judge_fact_of(j, "swap.read_back_is", clean, HALF, "dirty", "clean",
		      "some clean, some dirty");
}

CASE(swap_pageout_in) {
	.claim = "A page that is swapped out moves from RssAnon to VmSwap and Swap; the next "
		 "touch moves it back",
	.because = "try_to_unmap_one() writes a swap entry into the page table and moves the "
		   "count from MM_ANONPAGES to MM_SWAPENTS; do_swap_page() moves it back. A page "
		   "that was only read back is Private_Clean while its copy stays on swap, and "
		   "dirty if that copy is freed immediately.",
	.said_by = SAID_BY("proc_pid_status(5), VmSwap", "proc_pid_smaps(5), Swap"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP("page out", step_page_out, PAGED_OUT(PAGES)),
		       STEP_AS(READ_HALF, "read half", read_half, .checks = 1,
			       MOVES(SWAPPED(-HALF))),
		       STEP("write that half", write_half, .checks = 1),
		       STEP("write the rest", step_write, .first = HALF, .pages = HALF,
			    MOVES(SWAPPED(-HALF), ANON_WRITE(HALF)))),
	.facts = FACTS(FACT("swap.read_back_is",
			    "A page that was read back from swap (disk or zram) and not written "
			    "since is",
			    "clean|dirty")),
	.judge = judge,
};
