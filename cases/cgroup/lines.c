// SPDX-License-Identifier: MIT
/*
 * The lines of memory.stat that count page frames are right after processes of the cgroup have used
 * memory in many ways.
 */
#include "../machine/churn.h"

STEP_SYMBOLS(IN_A_CGROUP);

static void take_and_give_back(struct workload *w)
{
	char name[384], path[400];
	int64_t before;
	int status[2];
	pid_t pid;

	w->fd[CHURN_FILE] = workload_try_file_uncached(w, CHURN_PAGES);
	workload_cgroup_enter(w);
	if (!workload_own_cgroup(NULL, name, sizeof(name)))
		workload_skip(w, "cgroup v2");
	snprintf(path, sizeof(path), "--cgroup=%s", name);
	before = workload_cgroup_stat(w, "anon");
	pid = workload_companion(w, churn, NULL);
	workload_report(w, "anon", workload_cgroup_stat(w, "anon") - before);
	status[0] = churn_audit(w, "scan", path);
	workload_companion_ends(pid);
	status[1] = churn_audit(w, "scan", path);
	workload_cgroup_leave(w);
	if (status[0] || status[1])
		workload_skip(
			w,
			"page frames that rssck scan can read (its two runs exited with status %d and %d)",
			status[0], status[1]);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, IN_A_CGROUP,
		   trial_reported(t, IN_A_CGROUP, "anon") >= CHURN_LOCKED - 2 * CGROUP_BATCH,
		   "anon rises at least by the memory that the process has locked");
}

CASE(cgroup_lines) {
	.claim =
		"The page counts of memory.stat (anon, file, shmem, pagetables, the LRU lists) equal the pages charged to the cgroup, even after a process has mapped, moved, split, locked and paged out memory",
	.because = "Each page is charged to one cgroup (/proc/kpagecgroup). When the page "
		   "changes its kind, the counters of this cgroup change together with the "
		   "counters of the page's node.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", take_and_give_back, .checks = 1)),
	.judge = judge,
};
