// SPDX-License-Identifier: MIT
/* If a mapping has one page of a huge page of shmem on swap, its Swap should count one page. */
#include <rssck/case.h>

enum { REGION = 0, FD = 0, WHICH = 3 };
STEP_SYMBOLS(PAGE_OUT, MAP_ONE_PAGE);

static void map_and_collapse(struct workload *w)
{
	w->fd[FD] = workload_shmem(w, (size_t)w->huge);
	w->slot[REGION] = workload_huge_map(w, 1, w->fd[FD]);
	touch_write(w, w->slot[REGION], 1);
	workload_collapse(w, w->slot[REGION], w->huge_page_size);
	workload_expect(w, VIRT_OTHER(w->huge), SHMEM_HUGE(w->huge));
}

/* Since 6.12 the huge page is swapped out as a whole if swap has room for it in one piece. */
static void page_out(struct workload *w)
{
	int64_t before = workload_number("/proc/vmstat", "thp_swpout", 0);

	workload_page_out_shmem(w, w->slot[REGION], (size_t)w->huge);
	workload_report(w, "whole", workload_number("/proc/vmstat", "thp_swpout", 0) > before);
	workload_expect(w, SHMEM_HUGE(-w->huge), SHMEM_SWAPPED(w->huge));
}

static int64_t swap_kb(void)
{
	return workload_number("/proc/self/smaps_rollup", "Swap", -1);
}

/*
 * Unmaps within the step: on kernels whose Swap is too large, the identities with Swap do not hold.
 */
static void map_one_page(struct workload *w)
{
	int64_t before = swap_kb();
	void *p = workload_map(w, w->page_size, PROT_READ, MAP_SHARED, w->fd[FD],
			       WHICH * (off_t)w->page_size);

	workload_report(w, "kB", swap_kb() - before);
	workload_unmap(w, p, w->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t kb = trial_reported(t, MAP_ONE_PAGE, "kB");
	int64_t page_kb = t->host->page_size / 1024;

	judge_true(j, MAP_ONE_PAGE, kb >= page_kb,
		   "Swap counts the mapping's page, which is on swap");
	if (trial_reported(t, PAGE_OUT, "whole"))
		judge_fact(j, "swap.of_one_page_of_a_large_entry", "%s",
			   kb == page_kb ? "that page" : "more than that page");
}

CASE(swap_shmem_divided) {
	.claim = "If a mapping covers one page of a swapped huge page of shmem, its Swap should "
		 "be one page; since 6.12 it may be the whole huge page",
	.because = "shmem_partial_swap_usage() walks the file's entries inside the mapping. "
		   "Since 6.12 one entry may stand for a whole huge page, and the function adds "
		   "all of it.",
	.said_by = SAID_BY("proc_pid_smaps(5), Swap"),
	.needs = NEEDS("thp", "swap"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("map shmem by a PMD", map_and_collapse),
		       STEP_AS(PAGE_OUT, "page out", page_out),
		       STEP_AS(MAP_ONE_PAGE, "map one page", map_one_page)),
	.posts = POSTS(VIRT_OTHER(1), SHMEM_HUGE(1), SHMEM_SWAPPED(1)),
	.facts = FACTS(FACT("swap.of_one_page_of_a_large_entry",
			    "If a mapping has one page of a huge page of shmem on swap, its Swap "
			    "counts",
			    "that page|more than that page")),
	.judge = judge,
};
