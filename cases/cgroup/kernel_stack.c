// SPDX-License-Identifier: MIT
/* kernel_stack in memory.stat counts the kernel stacks of a cgroup's tasks. */
#include <linux/membarrier.h>
#include <rssck/case.h>

/*
 * The kernel may keep a few freed stacks for reuse (NR_CACHED_STACKS per CPU), which stay charged
 * to the cgroup. A quarter of the stacks may remain.
 */
enum { TASKS = 40, PART = 4, PATIENCE_S = 10, ENOUGH = 3, LEAST = 4096 };
STEP_SYMBOLS(IN_A_CGROUP);

/*
 * Leaves the cgroup when at most `most` pages of stacks remain, or after PATIENCE_S seconds.
 * Returns how many remain. RCU frees a stack some time after its task is reaped; skips the case if
 * too few grace periods have passed.
 */
static int64_t left_of(struct workload *w, int64_t before, int64_t most)
{
	struct patience patience = { .seconds = PATIENCE_S };
	int grace_periods = 0;
	int64_t left;

	while ((left = workload_cgroup_stat(w, "kernel_stack") - before) > most &&
	       workload_pause(&patience))
		grace_periods += !syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	workload_cgroup_leave(w);
	if (left > most && grace_periods < ENOUGH)
		workload_skip(w, "%d grace periods of RCU in %d s", ENOUGH, PATIENCE_S);
	return left;
}

static void pay(struct workload *w)
{
	int64_t before, there, slab;
	pid_t pid[TASKS];

	workload_cgroup_enter(w);
	before = workload_cgroup_stat(w, "kernel_stack");
	for (int i = 0; i < TASKS; i++)
		pid[i] = workload_companion(w, NULL, NULL);
	there = workload_cgroup_stat(w, "kernel_stack") - before;
	slab = workload_cgroup_stat(w, "slab");
	workload_report(w, "there", there);
	for (int i = 0; i < TASKS; i++)
		workload_companion_ends(pid[i]);
	workload_report(w, "gone", left_of(w, before, there / PART));
	if (!there && !slab)
		workload_skip(
			w,
			"a cgroup that is charged for kernel memory (boot without cgroup.memory=nokmem)");
}

/* A kernel stack has 16 kB on most machines, and at least LEAST bytes. */
static void judge(const struct trial *t, struct judgement *j)
{
	int64_t there = trial_reported(t, IN_A_CGROUP, "there");

	judge_true(j, IN_A_CGROUP, there * t->host->page_size >= TASKS * LEAST,
		   "kernel_stack rises by 4 kB or more for each task of the cgroup");
	judge_true(j, IN_A_CGROUP, trial_reported(t, IN_A_CGROUP, "gone") <= there / PART,
		   "kernel_stack falls after the tasks have ended");
}

CASE(cgroup_kernel_stack) {
	.claim = "kernel_stack in memory.stat rises with the tasks of a cgroup and falls after "
		 "they end",
	.because =
		"At fork account_kernel_stack() adds each page of the task's stack to NR_KERNEL_STACK_KB of the cgroup that is charged for the page. exit_task_stack_account() subtracts the pages when the task exits (up to 5.17, when the stack is freed).",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.judge = judge,
};
