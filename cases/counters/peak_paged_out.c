// SPDX-License-Identifier: MIT
/* What was paged out has been in VmHWM before. */
#include <rssck/case.h>

enum { PAGES = 4096, REGION = 0 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
}

static void page_out(struct workload *w)
{
	workload_page_out(w, w->slot[REGION], PAGES);
}

static void judge(const struct trial *t, struct judgement *j)
{
	long page = t->host->page_size;

	judge_within(
		j, "page out", 0, "status.VmHWM",
		snapshot_pages(trial_snapshot(t, "page out", 0), METRIC_STATUS_VMHWM, page),
		snapshot_pages(trial_snapshot(t, "write", 0), METRIC_SMAPS_RSS, page),
		model_bound(t->models, METRIC_STATUS_VMHWM, 1),
		"VmHWM = what was resident before it was paged out, within the bound of the approximate count");
}

CASE(counters_peak_paged_out) {
	.claim = "VmHWM has counted pages before reclaim takes them away, within the bound of "
		 "the approximate count",
	.because = "try_to_unmap_one() calls update_hiwater_rss() before it lowers the counter.",
	.said_by = SAID_BY("proc_pid_status(5), VmHWM"),
	.needs = NEEDS("swap"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("write", map_and_write, .flags = STEP_UNSETTLED,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("page out", page_out, .flags = STEP_UNSETTLED,
			    MOVES(ANON_WRITE(-PAGES), SWAPPED(PAGES)))),
	.judge = judge,
};
