// SPDX-License-Identifier: MIT
/* Not a case: the workload of rssck fuzz, which runs random programs operation by operation. */
#include <rssck/case.h>

CASE(fuzz_worker) {
	.claim = "After every operation of a random program all numbers agree with each other and "
		 "with the page tables",
	.because = "rssck fuzz draws a random program, sends its operations one by one, and "
		   "reads the numbers after each.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.flags = CASE_HIDDEN | CASE_KEEPS_MEMORY,
	.processes = WORKLOAD_PROCESSES - 1,
	.steps = STEPS(STEP("act", step_act, .flags = STEP_ANY_PAGES)),
};
