// SPDX-License-Identifier: MIT
/* VmPeak is the highest VmSize so far: unmapping and clear_refs 5 do not lower it. */
#include <rssck/case.h>

/* PAGES is more than the engine maps to settle counters with up to CPUS_MOST CPUs. */
enum { PAGES = 32768, CPUS_MOST = 128 };
STEP_SYMBOLS(MAP, UNMAP, MAP_ONE_PAGE_LESS, CLEAR_REFS_5, MAP_TWO_MORE);

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { MAP, UNMAP, MAP_ONE_PAGE_LESS, CLEAR_REFS_5,
					  MAP_TWO_MORE };
	int64_t peak = trial_pages(t, MAP, 0, METRIC_STATUS_VMSIZE);
	int64_t before = trial_pages(t, STEP_BASELINE, 0, METRIC_STATUS_VMPEAK);

	if (t->host->cpus > CPUS_MOST)
		return judge_skip(j, "a machine with at most %d CPUs", CPUS_MOST);
	for (int i = 0; i < 5; i++)
		judge_moved(j, steps[i], METRIC_STATUS_VMPEAK,
			    trial_pages(t, steps[i], 0, METRIC_STATUS_VMPEAK) - before,
			    peak + (i == 4) - before, 0, "VmPeak = the highest VmSize so far");
}

CASE(virtual_peak) {
	.claim = "VmPeak is exactly the highest VmSize so far; unmapping and clear_refs 5 do not "
		 "change it",
	.because = "update_hiwater_vm() stores total_vm before memory is unmapped. task_mem() "
		   "prints the larger of this value and the current size. Both are exact, unlike "
		   "VmHWM.",
	.said_by = SAID_BY("proc_pid_status(5), VmPeak"),
	.steps = STEPS(STEP_AS(MAP, "map", step_map, .pages = PAGES,
			       .mapping = MAP_PRIVATE | MAP_NORESERVE, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(PAGES))),
		       STEP_AS(UNMAP, "unmap", step_unmap, .pages = PAGES, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(-PAGES))),
		       STEP_AS(MAP_ONE_PAGE_LESS, "map one page less", step_map, .pages = PAGES - 1,
			       .mapping = MAP_PRIVATE | MAP_NORESERVE, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(PAGES - 1))),
		       STEP_AS(CLEAR_REFS_5, "clear_refs 5", step_clear_refs, .refs = '5',
			       .flags = STEP_UNSETTLED),
		       STEP_AS(MAP_TWO_MORE, "map two pages more", step_map, .pages = 2,
			       .prot = NO_ACCESS, .flags = STEP_UNSETTLED, MOVES(VIRT_OTHER(2)))),
	.moves = METRICS(METRIC_STATUS_VMPEAK),
	.judge = judge,
};
