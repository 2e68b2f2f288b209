// SPDX-License-Identifier: MIT
/* VmHWM includes pages that reclaim removes. */
#include "peak_by.h"

enum { PAGES = 4096 };
STEP_SYMBOLS(WRITE, PAGE_OUT);

static void judge(const struct trial *t, struct judgement *j)
{
	judge_peak_by(
		t, j, WRITE, PAGE_OUT,
		"VmHWM = the RSS before memory was paged out, except for the counter's allowed lag");
}

CASE(counters_peak_paged_out) {
	.claim =
		"Before reclaim removes pages, the kernel raises VmHWM to the approximate RSS, so VmHWM is too low by at most the lag of RSS",
	.because = "try_to_unmap_one() calls update_hiwater_rss() before it lowers the counter.",
	.said_by = SAID_BY("proc_pid_status(5), VmHWM"),
	.needs = NEEDS("swap"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES),
			       .flags = STEP_UNSETTLED),
		       STEP_AS(PAGE_OUT, "page out", step_page_out, .pages = PAGES,
			       .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(-PAGES), SWAPPED(PAGES)))),
	.judge = judge,
};
