// SPDX-License-Identifier: MIT
/* PR_SET_THP_DISABLE is THP_enabled 0, and no mapping is THPeligible then. */
#include <errno.h>
#include <rssck/case.h>
#include <rssck/judge.h>
#include <rssck/workload.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

enum { HUGE = 1, REGION = 0 };

static void disable(struct workload *w, unsigned long yes)
{
	if (prctl(PR_SET_THP_DISABLE, yes, 0, 0, 0) < 0)
		workload_skip(w, "PR_SET_THP_DISABLE: %s", strerror(errno));
}

/* Never touched, so that no huge page comes of it. */
static void map(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, HUGE, -1);
	if (madvise(w->slot[REGION], HUGE * w->huge_page_size, MADV_HUGEPAGE) < 0)
		workload_skip(w, "MADV_HUGEPAGE: %s", strerror(errno));
	workload_expect(w, (struct posting)VIRT_DATA((int64_t)(w->huge_page_size / w->page_size)));
}

static void forbid(struct workload *w)
{
	disable(w, 1);
}

static void allow(struct workload *w)
{
	disable(w, 0);
}

static void judge_step(const struct trial *t, struct judgement *j, const char *from, const char *to,
		       int64_t moved)
{
	static const enum metric_id ids[] = { METRIC_STATUS_THP_ENABLED, METRIC_SMAPS_THPELIGIBLE };
	const struct snapshot *before = trial_snapshot(t, from, 0);
	const struct snapshot *after = trial_snapshot(t, to, 0);

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (snapshot_value(before, ids[i]) >= 0)
			judge_moved(j, to, ids[i],
				    snapshot_value(after, ids[i]) - snapshot_value(before, ids[i]),
				    moved, 0,
				    "1 where huge pages are allowed, 0 where they are not");
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (snapshot_value(trial_snapshot(t, "map", 0), METRIC_SMAPS_THPELIGIBLE) == 0)
		return judge_skip(j, "transparent huge pages that are not switched off");
	judge_step(t, j, "map", "forbid", -1);
	judge_step(t, j, "forbid", "allow", 1);
}

CASE(thp_prctl_disable) {
	.claim = "PR_SET_THP_DISABLE shows as THP_enabled 0, and takes THPeligible from every "
		 "mapping",
	.because = "task_thp_status() reads the mm's flag; thp_vma_allowable_orders() asks it, "
		   "too.",
	.said_by = SAID_BY("prctl(2), PR_SET_THP_DISABLE", "proc_pid_status(5), THP_enabled"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("map", map), STEP("forbid", forbid), STEP("allow", allow)),
	.moves = METRICS(METRIC_STATUS_THP_ENABLED, METRIC_SMAPS_THPELIGIBLE),
	.judge = judge,
};
