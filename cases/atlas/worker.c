// SPDX-License-Identifier: MIT
/* Not a case: the workload of rssck atlas, which performs many sequences of acts side by side. */
#include <rssck/case.h>

CASE(atlas_worker) {
	.claim = "After every operation on memory all numbers agree with each other and with the "
		 "page tables",
	.because = "rssck atlas sends the operations for each region, and checks the numbers "
		   "after each round.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.flags = CASE_HIDDEN | CASE_KEEPS_MEMORY,
	.processes = 1,
	.steps = STEPS(STEP("begin", step_side_begin, .flags = STEP_ANY_PAGES),
		       STEP("round", step_side_round, .flags = STEP_ANY_PAGES),
		       STEP("event", step_side_event, .flags = STEP_ANY_PAGES),
		       STEP("clear", step_side_clear, .flags = STEP_ANY_PAGES)),
};
