// SPDX-License-Identifier: MIT
/*
 * A page that is swapped out leaves every RSS for VmSwap and Swap; read back it may be clean or
 * dirty.
 */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0, CLEAN = 0 };
STEP_SYMBOLS(READ_HALF);

/* 7.2.13: clean from a disk, dirty from zram, whose copy is freed; 6.12.117: clean from both. */
static void read_half(struct workload *w)
{
	const char *p = w->slot[REGION];

	for (size_t i = 0; i < HALF; i++)
		if (p[i * w->page_size] != (char)(i | 1))
			workload_fail(w, "page %zu came back from swap with other content", i);
	w->number[CLEAN] = workload_pages_clean(w, p);
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
	.claim = "A page that is swapped out moves from RssAnon to VmSwap and Swap; touched, it "
		 "moves back",
	.because = "try_to_unmap_one() puts a swap entry into the page table and moves the count "
		   "from MM_ANONPAGES to MM_SWAPENTS; do_swap_page() moves it back. A page that is "
		   "only read back is Private_Clean while its copy on swap is kept, and dirty "
		   "where the copy is freed immediately.",
	.said_by = SAID_BY("proc_pid_status(5), VmSwap", "proc_pid_smaps(5), Swap"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write", step_map, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("page out", step_page_out, .pages = PAGES,
			    MOVES(ANON_WRITE(-PAGES), SWAPPED(PAGES))),
		       STEP_AS(READ_HALF, "read half", read_half, MOVES(SWAPPED(-HALF))),
		       STEP("write it", write_half, .checks = 1),
		       STEP("write the rest", step_write, .first = HALF, .pages = HALF,
			    MOVES(SWAPPED(-HALF), ANON_WRITE(HALF)))),
	.facts = FACTS(FACT("swap.read_back_is",
			    "A page read back from swap (the device decides: a disk, zram) and "
			    "not written since is",
			    "clean|dirty")),
	.judge = judge,
};
