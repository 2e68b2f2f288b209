// SPDX-License-Identifier: MIT
/* A swapped page that four refer to is a quarter in each SwapPss; read by one, it is in the swap
 * cache. */
#include <rssck/case.h>

enum { PAGES = 240, CHILDREN = 3, REGION = 0 };

static void write_and_page_out(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	workload_page_out(w, w->slot[REGION], PAGES);
}

static void fork_all(struct workload *w)
{
	for (unsigned i = 1; i <= CHILDREN; i++)
		workload_fork(w, i);
}

static void read_all(struct workload *w)
{
	touch_read(w, w->slot[REGION], PAGES);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (snapshot_value(trial_snapshot(t, "baseline", 0), METRIC_NUMA_SWAPCACHE) < 0)
		return; /* CONFIG_NUMA is not set: there is no numa_maps */
	judge_moved(j, "the parent reads", METRIC_NUMA_SWAPCACHE,
		    trial_moved(t, "fork 3 children", "the parent reads", 0, METRIC_NUMA_SWAPCACHE),
		    PAGES, 0, "what is back and still swapped for others is in the swap cache");
}

#define SWAP(pages, sharers, process)                      \
	{                                                  \
		ACCOUNT_SWAP, (pages), 0, sharers, process \
	}
#define BORN(process) { ACCOUNT_PRIVATE_WRITABLE, PAGES, 0, 0, process }, SWAP(PAGES, 4, process)

CASE(swap_sharers) {
	.claim =
		"A page on swap that four processes refer to is whole in each VmSwap and a quarter "
		"in each SwapPss; one reads it, and three are left",
	.because = "SwapPss divides by swp_swapcount(). A page read back while others refer to its "
		   "slot stays in the swap cache, clean, and the next reader maps the same page.",
	.said_by = SAID_BY("proc_pid_smaps(5), SwapPss"),
	.needs = NEEDS("swap"),
	.processes = CHILDREN,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("write and page out", write_and_page_out, VIRT_DATA(PAGES),
			    SWAPPED(PAGES)),
		       STEP("fork 3 children", fork_all, SWAP(-PAGES, 1, 0), SWAP(PAGES, 4, 0),
			    BORN(1), BORN(2), BORN(3)),
		       STEP("the parent reads", read_all, SWAP(-PAGES, 4, 0), ANON_CLEAN(PAGES),
			    SWAP(-PAGES, 4, 1), SWAP(PAGES, 3, 1), SWAP(-PAGES, 4, 2),
			    SWAP(PAGES, 3, 2), SWAP(-PAGES, 4, 3), SWAP(PAGES, 3, 3)),
		       STEP_OF(1, "a child reads", read_all, SWAP(-PAGES, 3, 1),
			       { ACCOUNT_ANON, PAGES, 0, 2, 1 }, ANON_CLEAN(-PAGES),
			       { ACCOUNT_ANON, PAGES, 0, 2, 0 }, SWAP(-PAGES, 3, 2),
			       SWAP(PAGES, 2, 2), SWAP(-PAGES, 3, 3), SWAP(PAGES, 2, 3))),
	.moves = METRICS(METRIC_NUMA_SWAPCACHE),
	.judge = judge,
};
