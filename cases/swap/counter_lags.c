// SPDX-License-Identifier: MIT
/* VmSwap lags like the RSS counters: it may still count pages that were just read back. */
#include <rssck/case.h>

/* BACK pages are fewer than any batch. */
enum { PAGES = 256, BACK = 20 };
STEP_SYMBOLS(WRITE_A_FEW);

/*
 * Checks the difference between VmSwap and the swap entries against the model of VmSwap, or of
 * RssAnon if VmSwap has none.
 */
static void judge_by_model(const struct trial *t, struct judgement *j, int64_t too_many)
{
	const struct counter_model *m = model_for(t->models, METRIC_STATUS_VMSWAP);

	if (m->kind == MODEL_EXACT)
		judge_equal(j, WRITE_A_FEW, "VmSwap, too many", too_many, 0,
			    "an exact counter does not count pages that were read back");
	else if (m->kind == MODEL_PER_CPU && m->batch > BACK)
		judge_equal(j, WRITE_A_FEW, "VmSwap, too many", too_many, BACK,
			    "a CPU's batch contains all pages that were read back");
	else if (m->kind == MODEL_PER_THREAD && m->batch > BACK)
		judge_true(j, WRITE_A_FEW, too_many > 0 && too_many <= BACK,
			   "a thread's batch contains some of the pages that were read back");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t swapped = trial_pages(t, WRITE_A_FEW, 0, METRIC_PAGEMAP_SWAP);
	int64_t said = trial_pages(t, WRITE_A_FEW, 0, METRIC_STATUS_VMSWAP);

	if (swapped < 0 || said < 0)
		return judge_skip(j, "VmSwap in status, and a readable pagemap");
	judge_by_model(t, j, said - swapped);
	judge_fact(j, "swap.VmSwap_after_a_few_came_back", "%s",
		   said == swapped ? "exact" : "too much");
}

CASE(swap_counter_lags) {
	.claim = "VmSwap may still count pages that have been read back from swap; it lags like "
		 "VmRSS, and is exact if VmRSS is exact",
	.because = "do_swap_page() subtracts the page from MM_SWAPENTS through the batch of the "
		   "thread or CPU, as for the RSS counters. Since 82241a83cd15 (6.16) task_mem() "
		   "adds up the CPUs' batches.",
	.said_by = SAID_BY("proc_pid_status(5), VmSwap: 'inaccurate'"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP("page out", step_page_out, PAGED_OUT(PAGES)),
		       STEP_AS(WRITE_A_FEW, "write a few", step_write, .pages = BACK,
			       .flags = STEP_UNSETTLED, MOVES(SWAPPED(-BACK), ANON_WRITE(BACK)))),
	.facts = FACTS(FACT("swap.VmSwap_after_a_few_came_back",
			    "After a few pages are read back, VmSwap is", "exact|too much")),
	.judge = judge,
};
