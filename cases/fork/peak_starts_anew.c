// SPDX-License-Identifier: MIT
/* A child's peaks start at the child's own size, whatever its parent's size and peak are. */
#include <rssck/case.h>

/* PAGES is more than the counters of one thread may lag. */
enum { PAGES = 2048, CHILD = 1 };
STEP_SYMBOLS(FORK, ASK_GETRUSAGE_2);

/*
 * The parent's RSS rises to 3 x PAGES and falls to PAGES. The child inherits none of these pages.
 */
static void climb_and_fall(struct workload *w)
{
	void *gone = workload_written(w, 2 * PAGES);

	workload_advise(w, workload_written(w, PAGES), PAGES * w->page_size, MADV_DONTFORK);
	workload_unmap(w, gone, 2 * PAGES * w->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t own = trial_pages(t, FORK, CHILD, METRIC_SMAPS_RSS);

	judge_within(j, FORK, CHILD, "status.VmHWM",
		     trial_pages(t, FORK, CHILD, METRIC_STATUS_VMHWM), own,
		     model_bound(t->models, METRIC_STATUS_VMHWM, 1),
		     "the child's VmHWM = its own resident memory");
	judge_equal(j, FORK, "status.VmPeak", trial_pages(t, FORK, CHILD, METRIC_STATUS_VMPEAK),
		    trial_pages(t, FORK, CHILD, METRIC_STATUS_VMSIZE),
		    "the child's VmPeak = its VmSize");
	judge_within(j, ASK_GETRUSAGE_2, CHILD, "ru_maxrss",
		     trial_reported(t, ASK_GETRUSAGE_2, "maxrss"), own,
		     model_bound(t->models, METRIC_RUSAGE_MAXRSS, 1),
		     "the child's ru_maxrss = its own resident memory");
}

CASE(fork_peak_starts_anew) {
	.claim = "Apart from the counters' lag, a child's VmHWM, VmPeak and ru_maxrss start at the "
		 "child's own size, whatever its parent's size and peak are",
	.because = "dup_mm() sets hiwater_rss and hiwater_vm to the size of the finished copy, "
		   "which lacks the memory that fork does not copy (MADV_DONTFORK). A new "
		   "signal_struct has a maxrss of 0.",
	.said_by = SAID_BY("fork(2)", "getrusage(2), ru_maxrss"),
	.processes = 1,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("grow and shrink", climb_and_fall,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP_AS(FORK, "fork", step_fork, .flags = STEP_UNSETTLED, .child = CHILD),
		       STEP_AS(ASK_GETRUSAGE_2, "call getrusage(2)", step_report_rusage,
			       .process = CHILD, .flags = STEP_UNSETTLED)),
	.judge = judge,
};
