// SPDX-License-Identifier: MIT
/* A process's peak and faults include those of threads that outlive its first thread. */
#include <linux/futex.h>
#include <pthread.h>
#include <rssck/case.h>

/* PAGES is much more than all other memory of the workload. */
enum { PAGES = 4096, REGION = 0 };
STEP_SYMBOLS(THE_LEADER_ENDS_FIRST);

struct last {
	struct workload *w;
	volatile int leader; /* TID of the first thread; the kernel sets it to 0 when this thread
				releases the mm */
};

static void *write_alone(void *arg)
{
	struct last *l = arg;

	for (int tid = l->leader; tid; tid = l->leader)
		syscall(SYS_futex, &l->leader, FUTEX_WAIT, tid, NULL, NULL, 0);
	touch_write(l->w, l->w->slot[REGION], PAGES);
	_exit(0);
}

static void leader_ends_first(struct workload *w)
{
	static struct last l;
	struct rusage usage;
	int status = 0;
	pthread_t id;

	w->slot[REGION] = workload_anonymous(w, PAGES);
	l.w = w;
	pid_t pid = fork();

	if (pid == 0) {
		l.leader = (int)syscall(SYS_set_tid_address, &l.leader);
		if (pthread_create(&id, NULL, write_alone, &l))
			_exit(1);
		syscall(SYS_exit, 0);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		workload_die(w, "fork or wait4: %m");
	if (status)
		workload_die(w, "the child ended with status %#x", status);
	workload_report_usage(w, &usage);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t maxrss = trial_reported(t, THE_LEADER_ENDS_FIRST, "maxrss");
	int64_t lag = judge_bound(t, j, METRIC_RUSAGE_MAXRSS, 2);
	/* Apart from the region, the child has at most as many pages as the workload. */
	int64_t more = trial_pages(t, THE_LEADER_ENDS_FIRST, 0, METRIC_SMAPS_RSS);

	judge_true(
		j, THE_LEADER_ENDS_FIRST, maxrss >= PAGES - lag && maxrss <= PAGES + more + lag,
		"ru_maxrss is the child's highest RSS, including the pages that the last thread wrote");
	judge_true(j, THE_LEADER_ENDS_FIRST,
		   trial_reported(t, THE_LEADER_ENDS_FIRST, "minflt") >= PAGES,
		   "ru_minflt includes the last thread's faults");
}

CASE(fork_leader_ends_first) {
	.claim =
		"ru_maxrss and ru_minflt of a process include what a thread touches after the first thread has ended",
	.because = "do_exit() stores the peak when the last thread ends, not when the first one "
		   "does. __exit_signal() adds each thread's faults to the process's.",
	.said_by = SAID_BY("getrusage(2)", "pthread_exit(3)"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(THE_LEADER_ENDS_FIRST, "the leader ends first", leader_ends_first,
			       MOVES(VIRT_DATA(PAGES)))),
	.judge = judge,
};
