// SPDX-License-Identifier: MIT
/* With PR_SET_THP_DISABLE, THP_enabled is 0 and no mapping is THPeligible. */
#include <rssck/case.h>

enum { HUGE = 1, REGION = 0 };
STEP_SYMBOLS(MAP, FORBID_WHAT_IS_NOT_ADVISED, FORBID, ALLOW);

static void disable(struct workload *w)
{
	if (prctl(PR_SET_THP_DISABLE, (unsigned long)w->argument, 0, 0, 0) < 0)
		workload_skip(w, "PR_SET_THP_DISABLE: %m");
}

/* The region is never touched, so that no huge page is allocated. */
static void map(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, HUGE, -1);
	workload_advise(w, w->slot[REGION], HUGE * w->huge_page_size, MADV_HUGEPAGE);
	workload_expect(w, VIRT_DATA(w->huge));
}

static void forbid_unasked(struct workload *w)
{
	if (prctl(PR_SET_THP_DISABLE, 1, PR_THP_DISABLE_EXCEPT_ADVISED, 0, 0) < 0)
		workload_skip_step(w, "PR_THP_DISABLE_EXCEPT_ADVISED (Linux 6.18): %m");
	if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) != (1 | PR_THP_DISABLE_EXCEPT_ADVISED))
		workload_fail(w, "PR_GET_THP_DISABLE did not return the value that was set");
	workload_checked(w);
}

/*
 * Checks that the number falls to 0 while huge pages are forbidden, and returns to its old value.
 * The system's settings decide which mappings are eligible.
 */
static void judge_both(const struct trial *t, struct judgement *j, enum metric_id id,
		       const char *rule)
{
	int64_t there = trial_value(t, MAP, 0, id);

	if (there < 0)
		return;
	judge_moved_since(t, j, MAP, FORBID, id, -there, rule);
	judge_moved_since(t, j, FORBID, ALLOW, id, there, rule);
}

static int64_t eligible(const struct snapshot *s, bool advised)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->nr_maps; i++)
		if (!advised || mapping_has_flag(&s->maps[i], "hg"))
			sum += mapping_smaps(&s->maps[i], METRIC_SMAPS_THPELIGIBLE);
	return sum;
}

static void judge_unasked(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, FORBID_WHAT_IS_NOT_ADVISED, 0);

	if (!s)
		return;
	judge_equal(j, FORBID_WHAT_IS_NOT_ADVISED, "status.THP_enabled",
		    snapshot_value(s, METRIC_STATUS_THP_ENABLED), 1,
		    "THP_enabled stays 1 while advised memory may have huge pages");
	judge_equal(j, FORBID_WHAT_IS_NOT_ADVISED, "smaps.THPeligible", eligible(s, false),
		    eligible(trial_snapshot(t, MAP, 0), true),
		    "exactly the memory with MADV_HUGEPAGE stays eligible");
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_value(t, MAP, 0, METRIC_SMAPS_THPELIGIBLE) == 0)
		return judge_skip(j, "transparent huge pages that are not switched off");
	judge_unasked(t, j);
	judge_both(t, j, METRIC_STATUS_THP_ENABLED,
		   "THP_enabled is 1 if huge pages are allowed, else 0");
	judge_both(t, j, METRIC_SMAPS_THPELIGIBLE,
		   "THPeligible is 0 in each mapping while huge pages "
		   "are forbidden");
}

CASE(thp_prctl_disable) {
	.claim =
		"PR_SET_THP_DISABLE sets THP_enabled and each THPeligible to 0; with PR_THP_DISABLE_EXCEPT_ADVISED (since 6.18) only memory with MADV_HUGEPAGE stays eligible, and THP_enabled is 1",
	.because = "task_thp_status() and thp_vma_allowable_orders() both read the mm's flag.",
	.said_by = SAID_BY("prctl(2), PR_SET_THP_DISABLE", "proc_pid_status(5), THP_enabled"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(MAP, "map", map),
		       STEP_AS(FORBID_WHAT_IS_NOT_ADVISED, "disable THP except for advised memory",
			       forbid_unasked, .checks = 1),
		       STEP_AS(FORBID, "disable THP", disable, .argument = 1),
		       STEP_AS(ALLOW, "enable THP", disable, .argument = 0)),
	.moves = METRICS(METRIC_STATUS_THP_ENABLED, METRIC_SMAPS_THPELIGIBLE),
	.judge = judge,
};
