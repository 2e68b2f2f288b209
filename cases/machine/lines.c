// SPDX-License-Identifier: MIT
/* What processes have done to memory leaves no line of meminfo, vmstat and zoneinfo wrong. */
#include "churn.h"

STEP_SYMBOLS(TAKE);

static int64_t locked_now(const struct workload *w)
{
	return workload_number("/proc/meminfo", "Mlocked", 0) * 1024 / (int64_t)w->page_size;
}

/* Looked at while a process has it, and after that has ended. */
static void take_and_give_back(struct workload *w)
{
	static const char *const audit[] = { "rssck", "machine", NULL };
	int64_t before = locked_now(w);
	int status[2];
	pid_t pid;

	w->fd[CHURN_FILE] = workload_file_uncached(w, CHURN_PAGES);
	pid = workload_companion(w, churn, NULL);
	status[0] = churn_audit(w, audit);
	workload_report(w, "locked", locked_now(w) - before);
	workload_companion_ends(pid);
	status[1] = churn_audit(w, audit);
	if (status[0] || status[1])
		workload_skip(w, "page frames that rssck machine can read (it exits with %d, %d)",
			      status[0], status[1]);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, TAKE, trial_reported(t, TAKE, "locked") >= CHURN_LOCKED,
		   "Mlocked rises by what a process has locked, or more");
}

CASE(machine_lines) {
	.claim =
		"Memory of all kinds that a process has taken, moved, split, locked and paged out is counted in "
		"meminfo, vmstat and zoneinfo as its page frames are, and no more when it has ended",
	.because =
		"Each page that changes its kind is subtracted from one counter and added to another, in each zone "
		"and node; a step that is missed stays in the sum until the next boot.",
	.said_by = SAID_BY("proc_meminfo(5)", "Documentation/filesystems/proc.rst, meminfo"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(TAKE, "take memory of all kinds and give it back",
			       take_and_give_back, .checks = 1)),
	.judge = judge,
};
