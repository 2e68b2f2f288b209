// SPDX-License-Identifier: MIT
/*
 * At a cgroup's limit anonymous memory is paged out while swap is free, and no process is killed.
 */
#include "fill.h"

STEP_SYMBOLS(UNDER_A_LIMIT);

static void live_under_a_limit(struct workload *w)
{
	struct limited l;

	/*
	 * With swappiness 0 get_scan_count() reclaims no anonymous memory in a cgroup, even with
	 * free swap.
	 */
	if (workload_number("/proc/sys/vm/swappiness", NULL, -1) == 0)
		workload_skip(w, "swap that a full cgroup may use (vm.swappiness is 0)");
	workload_cgroup_enter(w);
	workload_cgroup_set(w, "memory.max", LIMIT);
	l = workload_limited(w, write_anonymous);
	workload_report(w, "killed", l.killed);
	workload_report(w, "current", l.current);
	workload_report(w, "rss", l.rss);
	workload_cgroup_leave(w);
	workload_checked(w);
}

static int64_t reported(const struct trial *t, const char *name)
{
	return trial_reported(t, UNDER_A_LIMIT, name);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact(j, "limit.anonymous_with_swap", "%s",
		   reported(t, "killed") ? "kills" : "is paged out");
	judge_true(j, UNDER_A_LIMIT, !reported(t, "killed"),
		   "the process survives at memory.max while swap is free");
	judge_true(j, UNDER_A_LIMIT, reported(t, "current") <= LIMIT,
		   "memory.current is at most memory.max");
	judge_true(j, UNDER_A_LIMIT, reported(t, "rss") < ASKED,
		   "RSS is less than the written memory, because a part of it is on swap");
}

CASE(cgroup_limit_swap) {
	.claim =
		"At a cgroup's memory.max the kernel swaps out anonymous memory and kills no process, if the cgroup may use free swap and vm.swappiness is not 0; RSS is then below the amount written",
	.because = "Reclaim of the cgroup writes anonymous pages to swap, which memory.swap.max "
		   "limits separately. The kernel kills a process only if reclaim cannot free "
		   "memory.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.swap.max"),
	.needs = NEEDS("root", "swap", "guest"),
	.limit_s = 120,
	.steps = STEPS(STEP_AS(UNDER_A_LIMIT, "under a limit", live_under_a_limit, .checks = 1)),
	.facts = FACTS(FACT("limit.anonymous_with_swap",
			    "At the limit of a cgroup with swap, anonymous memory",
			    "is paged out|kills")),
	.judge = judge,
};
