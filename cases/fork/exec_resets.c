// SPDX-License-Identifier: MIT
/* exec resets the sizes, RSS and peaks, but ru_maxrss keeps the previous program's peak. */
#include <rssck/case.h>

/* PAGES is much more than the new program maps. */
enum { PAGES = 8192, CHILD = 1 };
STEP_SYMBOLS(FORK_AND_EXEC, CHILD_EXITS);

static void reap(struct workload *w)
{
	workload_reap(w, CHILD);
	workload_report_rusage(w, RUSAGE_CHILDREN);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const enum metric_id ids[] = {
		METRIC_STATM_SIZE,     METRIC_STATUS_VMPEAK,   METRIC_STATUS_VMHWM,
		METRIC_STATM_RESIDENT, METRIC_STATUS_RSSANON,  METRIC_STATUS_VMDATA,
		METRIC_STATUS_VMPTE,   METRIC_STATUS_RSSSHMEM, METRIC_SMAPS_RSS,
	};
	const struct snapshot *s = trial_snapshot(t, FORK_AND_EXEC, CHILD);
	int64_t maxrss = trial_reported(t, CHILD_EXITS, "maxrss");
	/* The kernel stores the peak of the counters at exec, when they may lag. */
	int64_t lag = judge_bound(t, j, METRIC_RUSAGE_MAXRSS, 1);

	for (size_t i = 0; s && i < sizeof(ids) / sizeof(*ids); i++) {
		int64_t pages = snapshot_pages(s, ids[i], t->host->page_size);

		judge_equal(j, FORK_AND_EXEC, metric(ids[i])->name, pages < PAGES / 4 ? 0 : pages,
			    0, "no memory of the previous program remains after exec");
	}
	judge_yes_no(j, "exec.ru_maxrss_keeps_what_was_before", maxrss >= PAGES - lag);
}

CASE(fork_exec_resets) {
	.claim =
		"After exec the sizes, RSS, VmPeak and VmHWM are the new program's; ru_maxrss keeps the old program's peak if that was higher",
	.because = "exec_mmap() gives the process a new mm and saves the old mm's peak in "
		   "signal->maxrss. So `time -v` of a small program may show the peak of the large "
		   "program that started it.",
	.said_by = SAID_BY("execve(2)", "getrusage(2), ru_maxrss"),
	.processes = 1,
	.steps = STEPS(STEP("write 32 MiB", step_map, ALL_WRITTEN(PAGES)),
		       STEP_AS(FORK_AND_EXEC, "fork and exec", step_exec, .child = CHILD,
			       .flags = STEP_UNSETTLED | STEP_ANY_PAGES),
		       STEP_AS(CHILD_EXITS, "child exits", reap)),
	.facts = FACTS(FACT("exec.ru_maxrss_keeps_what_was_before",
			    "Does ru_maxrss keep the peak of the program before exec?", "yes")),
	.judge = judge,
};
