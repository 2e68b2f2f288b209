// SPDX-License-Identifier: MIT
/*
 * Each SwapPss of four processes counts a quarter of a swapped page. When one process reads the
 * page, the page enters the swap cache.
 */
#include <rssck/case.h>

enum { PAGES = 240, CHILDREN = 3 };
STEP_SYMBOLS(FORK_3_CHILDREN, THE_PARENT_READS);

static void fork_all(struct workload *w)
{
	for (unsigned i = 1; i <= CHILDREN; i++)
		workload_fork(w, i);
}

/*
 * The pages are clean, or dirty with zswap, which frees its copy. All numbers must agree on this.
 */
static int64_t read_all(struct workload *w)
{
	touch_read(w, w->slot[0], PAGES);
	return workload_pages_clean(w, w->slot[0]);
}

static void parent_reads(struct workload *w)
{
	int64_t clean = read_all(w);

	workload_expect(w, ANON_CLEAN(clean), ANON_WRITE(PAGES - clean));
}

static void child_reads(struct workload *w)
{
	int64_t clean = read_all(w), dirty = PAGES - clean;

	workload_expect(w, ANON_CLEAN(clean, .sharers = 2, .process = 1),
			ANON_WRITE(dirty, .sharers = 2, .process = 1), ANON_CLEAN(-clean),
			ANON_WRITE(-dirty), ANON_CLEAN(clean, .sharers = 2),
			ANON_WRITE(dirty, .sharers = 2));
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_value(t, STEP_BASELINE, 0, METRIC_NUMA_SWAPCACHE) < 0)
		return; /* Without CONFIG_NUMA there is no numa_maps. */
	judge_moved_since(t, j, FORK_3_CHILDREN, THE_PARENT_READS, METRIC_NUMA_SWAPCACHE, PAGES,
			  "pages that were read back but are still on swap for other processes "
			  "are in the swap cache");
}

#define BORN(n) VIRT_DATA(PAGES, .process = n), SWAPPED(PAGES, .sharers = 4, .process = n)

CASE(swap_sharers) {
	.claim = "If four processes refer to a page on swap, each VmSwap counts it in full and "
		 "each SwapPss a quarter; after one process reads it back, each remaining "
		 "SwapPss counts a third",
	.because = "SwapPss divides by swp_swapcount(). If other processes still refer to the "
		   "swap slot, a page that is read back stays in the swap cache, and the next "
		   "process maps the same page.",
	.said_by = SAID_BY("proc_pid_smaps(5), SwapPss"),
	.needs = NEEDS("swap"),
	.processes = CHILDREN,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("write and page out", step_map_paged_out, ALL_PAGED_OUT(PAGES)),
		       STEP_AS(FORK_3_CHILDREN, "fork 3 children", fork_all,
			       MOVES(SWAPPED(-PAGES), SWAPPED(PAGES, .sharers = 4), BORN(1),
				     BORN(2), BORN(3))),
		       STEP_AS(THE_PARENT_READS, "the parent reads", parent_reads,
			       MOVES(SWAPPED(-PAGES, .sharers = 4),
				     SWAPPED(-PAGES, .sharers = 4, .process = 1),
				     SWAPPED(PAGES, .sharers = 3, .process = 1),
				     SWAPPED(-PAGES, .sharers = 4, .process = 2),
				     SWAPPED(PAGES, .sharers = 3, .process = 2),
				     SWAPPED(-PAGES, .sharers = 4, .process = 3),
				     SWAPPED(PAGES, .sharers = 3, .process = 3))),
		       STEP("a child reads", child_reads, .process = 1,
			    MOVES(SWAPPED(-PAGES, .sharers = 3, .process = 1),
				  SWAPPED(-PAGES, .sharers = 3, .process = 2),
				  SWAPPED(PAGES, .sharers = 2, .process = 2),
				  SWAPPED(-PAGES, .sharers = 3, .process = 3),
				  SWAPPED(PAGES, .sharers = 2, .process = 3)))),
	.moves = METRICS(METRIC_NUMA_SWAPCACHE),
	.judge = judge,
};
