// SPDX-License-Identifier: MIT
/* VmPeak is the highest VmSize there was: it never falls, and no reset is for it. */
#include <rssck/case.h>

/* More than settling maps for itself. */
enum { PAGES = 32768 };

static int64_t value(const struct trial *t, const char *step, enum metric_id id)
{
	return snapshot_pages(trial_snapshot(t, step, 0), id, t->host->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char *const steps[] = { "map", "unmap", "map one page less", "clear_refs 5",
					     "map two more" };
	int64_t peak = value(t, "map", METRIC_STATUS_VMSIZE);
	int64_t before = value(t, "baseline", METRIC_STATUS_VMPEAK);

	for (int i = 0; i < 5; i++)
		judge_moved(j, steps[i], METRIC_STATUS_VMPEAK,
			    value(t, steps[i], METRIC_STATUS_VMPEAK) - before,
			    peak + (i == 4) - before, 0, "VmPeak = the highest VmSize so far");
}

CASE(virtual_peak) {
	.claim = "VmPeak is the highest VmSize so far, to the page; unmapping and clear_refs 5 "
		 "leave it alone",
	.because = "update_hiwater_vm() stores total_vm before unmapping, and task_mem() prints "
		   "the larger of that and the size now. Both are exact, unlike VmHWM.",
	.said_by = SAID_BY("proc_pid_status(5), VmPeak"),
	.steps = STEPS(STEP("map", step_map, .pages = PAGES, .mapping = MAP_PRIVATE | MAP_NORESERVE,
			    .flags = STEP_UNSETTLED, MOVES(VIRT_DATA(PAGES))),
		       STEP("unmap", step_unmap, .pages = PAGES, .flags = STEP_UNSETTLED,
			    MOVES(VIRT_DATA(-PAGES))),
		       STEP("map one page less", step_map, .pages = PAGES - 1,
			    .mapping = MAP_PRIVATE | MAP_NORESERVE, .flags = STEP_UNSETTLED,
			    MOVES(VIRT_DATA(PAGES - 1))),
		       STEP("clear_refs 5", step_clear_refs, .refs = '5', .flags = STEP_UNSETTLED),
		       STEP("map two more", step_map, .pages = 2, .prot = NO_ACCESS,
			    .flags = STEP_UNSETTLED, MOVES(VIRT_OTHER(2)))),
	.moves = METRICS(METRIC_STATUS_VMPEAK),
	.judge = judge,
};
