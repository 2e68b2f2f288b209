// SPDX-License-Identifier: MIT
/* minflt counts faults, not pages: one for each page touched, none for a page that is there. */
#include <rssck/case.h>

enum { PAGES = 200 };

/* The kernel keeps one count and shows it in two places. */
static void ask_getrusage(struct workload *w)
{
	workload_report_rusage(w, RUSAGE_SELF);
}

static void judge_same(const struct trial *t, struct judgement *j, enum metric_id id,
		       const char *reported)
{
	static const char step[] = "ask getrusage(2)";

	judge_equal(j, step, metric(id)->name, snapshot_value(trial_snapshot(t, step, 0), id),
		    trial_reported(t, step, reported, -1), "stat and getrusage(2) show one count");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_moved(j, "read half", METRIC_STAT_MINFLT,
		    trial_moved(t, "map", "read half", 0, METRIC_STAT_MINFLT), PAGES / 2, 0,
		    "a read fault on the zero page is a fault");
	judge_moved(j, "write all", METRIC_STAT_MINFLT,
		    trial_moved(t, "read half", "write all", 0, METRIC_STAT_MINFLT), PAGES, 0,
		    "one fault a page written, for the zero page's too");
	judge_moved(j, "write again", METRIC_STAT_MINFLT,
		    trial_moved(t, "write all", "write again", 0, METRIC_STAT_MINFLT), 0, 0,
		    "what is there does not fault");
	judge_moved(j, "MAP_POPULATE", METRIC_STAT_MINFLT,
		    trial_moved(t, "write again", "MAP_POPULATE", 0, METRIC_STAT_MINFLT), PAGES, 0,
		    "what the kernel faults in for the process counts alike");
	judge_moved(j, "write again", METRIC_STAT_MAJFLT,
		    trial_moved(t, "map", "write again", 0, METRIC_STAT_MAJFLT), 0, 0,
		    "no fault waited for a disk");
	judge_same(t, j, METRIC_STAT_MINFLT, "minflt");
	judge_same(t, j, METRIC_STAT_MAJFLT, "majflt");
}

CASE(counters_faults) {
	.claim = "minflt counts faults: one for each page touched for the first time, none "
		 "afterwards",
	.because = "mm_account_fault() adds one when a fault is done, whatever it mapped: the zero "
		   "page, one page, or many with fault-around. So it measures work, not memory.",
	.said_by = SAID_BY("proc_pid_stat(5), minflt"),
	.steps = STEPS(STEP("map", step_map, .pages = PAGES, .flags = STEP_UNSETTLED,
			    MOVES(VIRT_DATA(PAGES))),
		       STEP("read half", step_read, .pages = PAGES / 2, .flags = STEP_UNSETTLED,
			    MOVES(ZERO_READ(PAGES / 2))),
		       STEP("write all", step_write, .pages = PAGES, .flags = STEP_UNSETTLED,
			    MOVES(ZERO_TO_ANON(PAGES / 2), ANON_WRITE(PAGES / 2))),
		       STEP("write again", step_rewrite, .pages = PAGES, .asks = 1,
			    .flags = STEP_UNSETTLED),
		       STEP("MAP_POPULATE", step_map, .pages = PAGES,
			    .mapping = MAP_PRIVATE | MAP_POPULATE, .flags = STEP_UNSETTLED,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("ask getrusage(2)", ask_getrusage, .flags = STEP_UNSETTLED)),
	.moves = METRICS(METRIC_STAT_MINFLT),
	.judge = judge,
};
