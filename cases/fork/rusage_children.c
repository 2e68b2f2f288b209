// SPDX-License-Identifier: MIT
/* ru_maxrss of RUSAGE_CHILDREN is the peak of the largest child, not a sum over the children. */
#include <rssck/case.h>

/* SMALL is much more than all other memory of the workload. */
enum { SMALL = 4096, LARGE = 2 * SMALL };
STEP_SYMBOLS(TWO_CHILDREN);

/*
 * Starts a child that writes its pages, sends a byte, and exits when the parent closes the pipe
 * `go`. Sets *has to the descriptor from which the parent reads the byte.
 */
static pid_t start(struct workload *w, size_t pages, int *has, const int go[2])
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	workload_must(w, pipe(ready), "pipe");
	pid = fork();
	workload_must(w, pid, "fork");
	if (pid == 0) {
		void *p = workload_try_map(pages * w->page_size, PROT_READ | PROT_WRITE,
					   MAP_PRIVATE, -1);

		close(go[1]);
		if (p)
			touch_write(w, p, pages);
		_exit(!p || write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1));
	}
	close(ready[1]);
	*has = ready[0];
	return pid;
}

static void two_children(struct workload *w)
{
	int go[2], has[2], status;
	pid_t pids[2];
	char byte;

	workload_must(w, pipe(go), "pipe");
	pids[0] = start(w, SMALL, &has[0], go);
	pids[1] = start(w, LARGE, &has[1], go);
	for (int i = 0; i < 2; i++) {
		if (read(has[i], &byte, 1) != 1)
			workload_die(w, "child %d did not write its pages (out of memory?)", i);
		close(has[i]);
	}
	close(go[0]);
	close(go[1]);
	for (int i = 0; i < 2; i++)
		if (waitpid(pids[i], &status, 0) != pids[i] || status)
			workload_die(w, "child %d ended with status %#x", i, status);
	workload_report_rusage(w, RUSAGE_CHILDREN);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t seen = trial_reported(t, TWO_CHILDREN, "maxrss");
	int64_t lag = judge_bound(t, j, METRIC_RUSAGE_MAXRSS, 1);
	/* Apart from what it writes, a child has at most as many pages as the workload. */
	int64_t more = trial_pages(t, TWO_CHILDREN, 0, METRIC_SMAPS_RSS);

	judge_true(j, TWO_CHILDREN, seen >= LARGE - lag && seen <= LARGE + more + lag,
		   "ru_maxrss of RUSAGE_CHILDREN is the largest child's");
}

CASE(fork_rusage_children) {
	.claim = "If one of two children uses twice as much memory as the other at the same time, "
		 "ru_maxrss of RUSAGE_CHILDREN is the larger of the two peaks, not their sum",
	.because = "wait_task_zombie() keeps the larger of two numbers: the child's peak and the "
		   "parent's cmaxrss.",
	.said_by = SAID_BY("getrusage(2), RUSAGE_CHILDREN"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(TWO_CHILDREN, "two children", two_children)),
	.judge = judge,
};
