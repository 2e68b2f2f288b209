// SPDX-License-Identifier: MIT
/* MADV_DONTNEED of a part of a huge page removes only that part from RES. */
#include <rssck/case.h>

enum { CHILD = 1 };

CASE(thp_dontneed_part) {
	.claim = "MADV_DONTNEED of one page of a huge page removes one page from RES, and the "
		 "whole huge page from AnonHugePages",
	.because =
		"The zap first splits the PMD into one entry per page, then clears one of them. The next touch maps a small page there.",
	.said_by = SAID_BY("madvise(2), MADV_DONTNEED"),
	.needs = NEEDS("thp"),
	.processes = 1,
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", step_huge_page),
		       STEP("MADV_DONTNEED one page", step_advise, .pages = 1,
			    .advice = MADV_DONTNEED, MOVES(ANON_HUGE(-THP), ANON_WRITE(THP - 1))),
		       /* Each page left has its own entry; newer kernels copy them in batches. */
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_DATA(THP, .process = CHILD),
				  SHARED_WITH(CHILD, ANON_WRITE, THP - 1))),
		       STEP("child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(ANON_WRITE, THP - 1, 2, 1))),
		       STEP("MADV_DONTNEED the rest", step_advise, .pages = THP,
			    .advice = MADV_DONTNEED, MOVES(ANON_WRITE(-(THP - 1)))),
		       STEP("touch one page", step_write, .pages = 1, MOVES(ANON_WRITE(1)))),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
};
