// SPDX-License-Identifier: MIT
/*
 * CODE is the difference of two addresses that exec sets. A program may change them without
 * changing any mapping.
 */
#include <rssck/case.h>

enum { PAGES = 3, END = 0, END_CODE = 27 };
STEP_SYMBOLS(MOVE_THE_END);

static void set_end(struct workload *w, unsigned long end)
{
	if (prctl(PR_SET_MM, PR_SET_MM_END_CODE, end, 0, 0) < 0)
		workload_skip(w, "PR_SET_MM: %m");
}

static void less(struct workload *w)
{
	w->number[END] = workload_stat(w, "self", END_CODE);
	set_end(w, (unsigned long)w->number[END] - PAGES * w->page_size);
}

static void as_before(struct workload *w)
{
	set_end(w, (unsigned long)w->number[END]);
}

static int64_t moved(const struct trial *t, enum metric_id id)
{
	return trial_moved(t, STEP_BASELINE, MOVE_THE_END, 0, id);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_moved(j, MOVE_THE_END, METRIC_STATM_TEXT, moved(t, METRIC_STATM_TEXT), -PAGES, 0,
		    "statm's text = end_code - start_code");
	judge_moved(j, MOVE_THE_END, METRIC_STATUS_VMEXE, moved(t, METRIC_STATUS_VMEXE), -PAGES, 0,
		    "VmExe = end_code - start_code");
	judge_equal(j, MOVE_THE_END, "status.VmLib", moved(t, METRIC_STATUS_VMLIB), PAGES,
		    "VmLib = all executable memory minus VmExe");
	judge_equal(j, MOVE_THE_END, "status.VmSize", moved(t, METRIC_STATUS_VMSIZE), 0,
		    "VmSize does not change");
}

CASE(virtual_text_bounds) {
	.claim = "CODE and VmExe depend on the end of code that prctl(2) sets; VmLib is the rest "
		 "of the executable memory",
	.because = "task_mem() and task_statm() compute end_code - start_code and read no "
		   "mapping.",
	.said_by = SAID_BY("proc_pid_statm(5), text", "PR_SET_MM(2const)"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(MOVE_THE_END, "move the end", less, .flags = STEP_ANY_PAGES),
		       STEP("move it back", as_before, .flags = STEP_ANY_PAGES)),
	.moves = METRICS(METRIC_STATM_TEXT, METRIC_STATUS_VMEXE),
	.judge = judge,
};
