// SPDX-License-Identifier: MIT
/*
 * VmHWM and ru_maxrss are peaks of the approximate RSS. They can miss the real peak, and VmHWM
 * can fall.
 */
#include <rssck/case.h>

/*
 * PAGES is not a multiple of the usual batches, 66 faults and 32 pages, so a lagging counter misses
 * the last pages.
 */
enum { PAGES = 4096 + 20 };
STEP_SYMBOLS(WRITE, UNMAP);

/* ru_maxrss keeps the observer's peak from before exec, if that was higher. */
static void judge_maxrss(const struct trial *t, struct judgement *j, int64_t peak, int64_t bound)
{
	int64_t kb = t->host->page_size / 1024, maxrss = t->maxrss_kb / kb, earlier;
	struct rusage own;

	/* If getrusage(2) fails, the earlier peak counts as equal to this one. */
	earlier = getrusage(RUSAGE_SELF, &own) < 0 ? peak : own.ru_maxrss / kb;
	if (earlier < peak)
		return judge_moved(
			j, STEP_EXIT, METRIC_RUSAGE_MAXRSS, maxrss - earlier, peak - earlier, bound,
			"ru_maxrss = the highest RSS, except for the counter's allowed lag");
	judge_moved_least(j, STEP_EXIT, METRIC_RUSAGE_MAXRSS, maxrss, peak - bound,
			  "ru_maxrss is at least the highest RSS minus the counter's allowed lag");
	judge_true(j, STEP_EXIT, maxrss <= earlier + bound,
		   "ru_maxrss is at most the peak before exec plus the counter's allowed lag");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t peak = trial_pages(t, WRITE, 0, METRIC_SMAPS_RSS);
	int64_t at_top = trial_pages(t, WRITE, 0, METRIC_STATUS_VMHWM);
	int64_t after = trial_pages(t, UNMAP, 0, METRIC_STATUS_VMHWM);
	int64_t before = trial_pages(t, STEP_BASELINE, 0, METRIC_STATUS_VMHWM);
	int64_t bound = model_bound(t->models, METRIC_STATUS_VMHWM, 1);

	judge_within(j, UNMAP, 0, "status.VmHWM", after, peak, bound,
		     "VmHWM = the highest RSS, except for the counter's allowed lag");
	judge_fact(j, "peak.VmHWM_after_unmap", "%s",
		   after == peak ? "the peak" : "below the peak");
	judge_yes_no(j, "peak.VmHWM_falls_without_reset", after < at_top);
	judge_moved(j, UNMAP, METRIC_STATUS_VMHWM, after - before, peak - before, bound,
		    "VmHWM rises to the highest RSS, except for the counter's allowed lag");
	judge_maxrss(t, j, peak, judge_bound(t, j, METRIC_RUSAGE_MAXRSS, 1));
}

CASE(counters_peak) {
	.claim =
		"The kernel stores the approximate RSS as VmHWM and ru_maxrss, so both may be lower than the real peak by up to the lag of RSS",
	.because = "update_hiwater_rss() stores get_mm_rss() before memory is unmapped. "
		   "task_mem() prints the larger of this value and the current count. So VmHWM "
		   "printed at the peak can be larger than VmHWM printed later.",
	.said_by = SAID_BY("proc_pid_status(5): 'Peak resident set size'", "getrusage(2)"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES),
			       .flags = STEP_UNSETTLED),
		       STEP_AS(UNMAP, "unmap", step_unmap, .pages = PAGES, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(-PAGES), ANON_WRITE(-PAGES)))),
	.moves = METRICS(METRIC_STATUS_VMHWM, METRIC_RUSAGE_MAXRSS),
	/*
	 * No tested kernel shows "the peak" yet: the counters must not lag, as without CONFIG_SMP.
	 */
	.facts = FACTS(FACT("peak.VmHWM_after_unmap",
			    "VmHWM, first read after memory was unmapped, is",
			    "the peak|below the peak"),
		       FACT("peak.VmHWM_falls_without_reset",
			    "Can VmHWM, a high-water mark, fall without a reset?", "yes|no")),
	.judge = judge,
};
