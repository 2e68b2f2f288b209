// SPDX-License-Identifier: MIT
/* RUSAGE_CHILDREN includes the faults of a child's threads, even if they ended before the child. */
#include <pthread.h>
#include <rssck/case.h>

enum { PAGES = 4096, REGION = 0 };
STEP_SYMBOLS(A_THREAD_OF_A_CHILD_WRITES);

static void *write_all(void *workload)
{
	struct workload *w = workload;

	touch_write(w, w->slot[REGION], PAGES);
	return NULL;
}

static void thread_of_child_writes(struct workload *w)
{
	pthread_t thread;
	int status = 0;
	pid_t pid;

	w->slot[REGION] = workload_anonymous(w, PAGES);
	pid = fork();
	workload_must(w, pid, "fork");
	if (pid == 0)
		_exit(pthread_create(&thread, NULL, write_all, w) || pthread_join(thread, NULL));
	if (waitpid(pid, &status, 0) != pid || status)
		workload_die(w, "a child ended with status %#x (no memory for a thread?)", status);
	workload_report_rusage(w, RUSAGE_CHILDREN);
	workload_report(w, "cminflt", workload_stat(w, "self", 11));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t minflt = trial_reported(t, A_THREAD_OF_A_CHILD_WRITES, "minflt");
	/* fork and pthread_create each take fewer faults than the workload has pages. */
	int64_t more = trial_pages(t, A_THREAD_OF_A_CHILD_WRITES, 0, METRIC_SMAPS_RSS);

	judge_true(j, A_THREAD_OF_A_CHILD_WRITES, minflt >= PAGES && minflt <= PAGES + 4 * more,
		   "ru_minflt of RUSAGE_CHILDREN counts the faults of the child's thread once");
	judge_equal_in(j, "faults", A_THREAD_OF_A_CHILD_WRITES, "stat.cminflt",
		       trial_reported(t, A_THREAD_OF_A_CHILD_WRITES, "cminflt"), minflt,
		       "stat and getrusage(2) show the same count");
}

CASE(fork_rusage_threads) {
	.claim = "RUSAGE_CHILDREN and cminflt include the faults of a child's thread after the "
		 "child has been waited for, even if the thread ended before the child",
	.because = "When a thread ends, __exit_signal() adds its faults to the process's count. "
		   "wait_task_zombie() adds this count and the last thread's faults to the "
		   "parent's.",
	.said_by = SAID_BY("getrusage(2), RUSAGE_CHILDREN", "proc_pid_stat(5), cminflt"),
	.steps = STEPS(STEP_AS(A_THREAD_OF_A_CHILD_WRITES, "a thread of a child writes",
			       thread_of_child_writes, MOVES(VIRT_DATA(PAGES)))),
	.judge = judge,
};
