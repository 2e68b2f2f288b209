// SPDX-License-Identifier: MIT
/*
 * Reads stat, statm and status of one waiting process, and compares them with each other and with
 * smaps.
 */
#include <rssck/case.h>

/*
 * PAGES is less than any batch: a counter with per-CPU batches shows none of these pages, one with
 * per-thread batches does not show all.
 */
enum { PAGES = 20 };
STEP_SYMBOLS(WRITE);

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, WRITE, 0);
	long page = t->host->page_size;
	int64_t stat = snapshot_pages(s, METRIC_STAT_RSS, page);
	int64_t statm = snapshot_pages(s, METRIC_STATM_RESIDENT, page);
	int64_t status = snapshot_pages(s, METRIC_STATUS_VMRSS, page);
	int64_t walked = snapshot_pages(s, METRIC_SMAPS_RSS, page);

	judge_held_back(t, j, WRITE, 0, METRIC_STAT_RSS, PAGES);
	judge_held_back(t, j, WRITE, 0, METRIC_STATM_RESIDENT, PAGES);
	judge_held_back(t, j, WRITE, 0, METRIC_STATUS_VMRSS, PAGES);
	judge_yes_no(j, "stat_agrees_with_statm", stat == statm);
	judge_yes_no(j, "statm_agrees_with_status", statm == status);
	judge_yes_no(j, "stat_agrees_with_smaps", stat == walked);
	judge_yes_no(j, "status_agrees_with_smaps", status == walked);
}

CASE(counters_stat_statm_status) {
	.claim = "Two tools may show different RSS of a stopped process, because they read "
		 "different files",
	.because = "stat reads the counters approximately (get_mm_rss()). Since 6.6.99, 6.12.39, "
		   "6.15.7 and 6.16 (82241a83cd15) statm and status add up the per-CPU parts. On "
		   "kernels without this commit the three files lag alike.",
	.said_by = SAID_BY("proc_pid_stat(5)", "commit 82241a83cd15 (6.16)"),
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES),
			       .flags = STEP_UNSETTLED)),
	/*
	 * No tested kernel shows that stat is exact yet; the source implies it without CONFIG_SMP.
	 */
	.facts = FACTS(
		FACT("stat_agrees_with_statm", "Does field 24 of stat agree with statm?", "yes|no"),
		FACT("statm_agrees_with_status", "Does statm agree with status?", "yes"),
		FACT("stat_agrees_with_smaps", "Does field 24 of stat agree with smaps?", "yes|no"),
		FACT("status_agrees_with_smaps", "Does VmRSS in status agree with smaps?",
		     "yes|no")),
	.judge = judge,
};
