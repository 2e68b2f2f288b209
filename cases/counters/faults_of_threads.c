// SPDX-License-Identifier: MIT
/*
 * Each thread has its own count of faults. The process's count is the sum over all threads,
 * including those that have ended.
 */
#include <rssck/case.h>

enum { PAGES = 200, REGION = 0 };
STEP_SYMBOLS(THREAD_STARTS, THREAD_WRITES, THREAD_ENDS);
/* The slots of w->number in which the thread stores its numbers for the leader to report. */
enum { TID, BEFORE, AFTER };

static int64_t faults(int who)
{
	return workload_getrusage(who).ru_minflt;
}

static void begin(struct workload *w, unsigned index)
{
	(void)index;
	w->number[TID] = syscall(SYS_gettid);
}

static void start(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	workload_threads(w, 1, begin);
}

static void write_pages(struct workload *w, unsigned index)
{
	(void)index;
	w->number[BEFORE] = faults(RUSAGE_THREAD);
	touch_write(w, w->slot[REGION], PAGES);
	w->number[AFTER] = faults(RUSAGE_THREAD);
}

static void thread_writes(struct workload *w)
{
	int64_t leader = faults(RUSAGE_THREAD), self = faults(RUSAGE_SELF), telling;
	char task[64];

	workload_threads_run(w, write_pages);
	telling = faults(RUSAGE_THREAD);
	workload_report(w, "leader's", telling - leader);
	workload_report(w, "all", faults(RUSAGE_SELF) - self);
	workload_report(w, "thread's", w->number[AFTER] - w->number[BEFORE]);
	workload_report(w, "after", w->number[AFTER]);
	snprintf(task, sizeof(task), "self/task/%d", (int)w->number[TID]);
	workload_report(w, "stat", workload_stat(w, task, 10));
	/* workload_report() itself may take faults, because the C library may map memory. */
	workload_report(w, "telling", faults(RUSAGE_THREAD) - telling);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_equal_in(j, "faults", THREAD_WRITES, "RUSAGE_THREAD",
		       trial_reported(t, THREAD_WRITES, "thread's"), PAGES,
		       "a thread's count contains its own faults");
	judge_equal_in(j, "faults", THREAD_WRITES, "RUSAGE_THREAD of the leader",
		       trial_reported(t, THREAD_WRITES, "leader's"), 0,
		       "the leader's count does not contain another thread's faults");
	judge_equal_in(j, "faults", THREAD_WRITES, "RUSAGE_SELF",
		       trial_reported(t, THREAD_WRITES, "all"), PAGES,
		       "the process's count is the sum over its threads");
	judge_equal_in(j, "faults", THREAD_WRITES, "minflt of task/TID/stat",
		       trial_reported(t, THREAD_WRITES, "stat"),
		       trial_reported(t, THREAD_WRITES, "after"),
		       "stat and getrusage(2) show the same count");
	judge_moved_since(t, j, THREAD_STARTS, THREAD_WRITES, METRIC_STAT_MINFLT,
			  PAGES + trial_reported(t, THREAD_WRITES, "telling"),
			  "minflt includes the faults of running threads");
	judge_moved_least(j, THREAD_ENDS, METRIC_STAT_MINFLT,
			  trial_moved(t, THREAD_STARTS, THREAD_ENDS, 0, METRIC_STAT_MINFLT), PAGES,
			  "minflt includes the faults of ended threads");
}

CASE(counters_faults_of_threads) {
	.claim = "minflt of a process is the sum over all its threads, including ended ones; "
		 "each thread has its own count",
	.because = "__exit_signal() adds up the faults of ended threads. do_task_stat() and "
		   "getrusage(2) add the faults of the running threads to this sum. "
		   "/proc/PID/task/TID/stat and RUSAGE_THREAD show one thread's faults.",
	.said_by = SAID_BY("proc_pid_stat(5), minflt", "getrusage(2), RUSAGE_THREAD"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP_AS(THREAD_STARTS, "thread starts", start,
			       .flags = STEP_ANY_PAGES | STEP_UNSETTLED),
		       STEP_AS(THREAD_WRITES, "thread writes", thread_writes,
			       .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(PAGES))),
		       STEP_AS(THREAD_ENDS, "thread ends", step_end_threads,
			       .flags = STEP_ANY_PAGES | STEP_UNSETTLED)),
	.moves = METRICS(METRIC_STAT_MINFLT),
	.judge = judge,
};
