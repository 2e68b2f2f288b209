// SPDX-License-Identifier: MIT
/* A new thread's fault count starts at 0: its creator's faults are not copied. */
#include <rssck/case.h>

/* Writing PAGES pages takes more faults than a new thread takes for its stack. */
enum { PAGES = 200, AT_FIRST = 0 };
STEP_SYMBOLS(WRITE, THREAD_STARTS);

static void begin(struct workload *w, unsigned index)
{
	(void)index;
	w->number[AT_FIRST] = workload_getrusage(RUSAGE_THREAD).ru_minflt;
}

static void start(struct workload *w)
{
	workload_threads(w, 1, begin);
	workload_report(w, "at first", w->number[AT_FIRST]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, THREAD_STARTS, trial_reported(t, THREAD_STARTS, "at first") < PAGES,
		   "a new thread's fault count starts near 0");
	judge_true(j, THREAD_STARTS,
		   trial_moved(t, WRITE, THREAD_STARTS, 0, METRIC_STAT_MINFLT) < PAGES,
		   "minflt of the process counts the creator's faults only once");
}

CASE(counters_new_thread_faults) {
	.claim = "A new thread's minflt does not include its creator's faults, so minflt of the "
		 "process does not count them twice",
	.because = "copy_mm() sets min_flt and maj_flt of every new task to 0.",
	.said_by = SAID_BY("getrusage(2), RUSAGE_THREAD"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES),
			       .flags = STEP_UNSETTLED),
		       STEP_AS(THREAD_STARTS, "thread starts", start,
			       .flags = STEP_ANY_PAGES | STEP_UNSETTLED)),
	.judge = judge,
};
