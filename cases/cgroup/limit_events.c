// SPDX-License-Identifier: MIT
/*
 * memory.events counts how often a cgroup reached its limit, and how many processes were killed
 * there.
 */
#include "fill.h"

STEP_SYMBOLS(UNDER_A_LIMIT);

static const char *const events[] = { "max", "oom", "oom_kill" };

enum { EVENTS = sizeof(events) / sizeof(*events) };

static void live_under_a_limit(struct workload *w)
{
	int64_t before[EVENTS];
	struct limited l;

	workload_cgroup_enter(w);
	workload_cgroup_set(w, "memory.swap.max", 0);
	workload_cgroup_set(w, "memory.max", LIMIT);
	for (size_t i = 0; i < EVENTS; i++)
		before[i] = workload_cgroup_number(w, "memory.events", events[i]);
	l = workload_limited(w, write_anonymous);
	workload_report(w, "killed", l.killed);
	for (size_t i = 0; i < EVENTS; i++)
		workload_report(w, events[i],
				workload_cgroup_number(w, "memory.events", events[i]) - before[i]);
	workload_cgroup_leave(w);
	workload_checked(w);
}

/*
 * The kernel decides how often it retries before it kills, so max and oom may rise by more than 1.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, UNDER_A_LIMIT, trial_reported(t, UNDER_A_LIMIT, "killed"),
		   "a process whose anonymous memory exceeds memory.max is killed");
	judge_true(j, UNDER_A_LIMIT, trial_reported(t, UNDER_A_LIMIT, "max") > 0,
		   "max in memory.events rises when the cgroup reaches memory.max");
	judge_true(j, UNDER_A_LIMIT, trial_reported(t, UNDER_A_LIMIT, "oom") > 0,
		   "oom in memory.events rises when reclaim fails at memory.max");
	judge_reported_in(t, j, "processes", UNDER_A_LIMIT, "oom_kill", "memory.events oom_kill", 1,
			  "oom_kill counts the killed processes");
}

CASE(cgroup_limit_events) {
	.claim = "When a process is killed at its cgroup's memory.max, oom_kill in memory.events "
		 "rises by one, and max and oom by one or more",
	.because =
		"try_charge_memcg() counts MEMCG_MAX before it reclaims. mem_cgroup_oom() counts "
		"MEMCG_OOM if reclaim makes no room. __oom_kill_process() counts MEMCG_OOM_KILL.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.events"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(UNDER_A_LIMIT, "under a limit", live_under_a_limit, .checks = 1)),
	.judge = judge,
};
