// SPDX-License-Identifier: MIT
/* A new thread has taken no fault yet: the faults of its creator are not counted again. */
#include <rssck/case.h>

/* More faults than a thread's stack and the like cost. */
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
		   "a new thread begins with no faults");
	judge_true(j, THREAD_STARTS,
		   trial_moved(t, WRITE, THREAD_STARTS, 0, METRIC_STAT_MINFLT) < PAGES,
		   "a new thread adds no faults of others to minflt");
}

CASE(counters_new_thread_faults) {
	.claim = "A thread begins with a minflt of 0, whatever its creator has, and the sum of the "
		 "process does not jump",
	.because = "copy_mm() sets min_flt and maj_flt of every new task to 0.",
	.said_by = SAID_BY("getrusage(2), RUSAGE_THREAD"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, .pages = PAGES, .written = PAGES,
			       .flags = STEP_UNSETTLED, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP_AS(THREAD_STARTS, "thread starts", start,
			       .flags = STEP_ANY_PAGES | STEP_UNSETTLED)),
	.judge = judge,
};
