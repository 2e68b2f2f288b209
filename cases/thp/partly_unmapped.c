// SPDX-License-Identifier: MIT
/*
 * After half of a huge page is unmapped, RES counts only the other half, although the whole page
 * may still use memory.
 */
#include <rssck/case.h>

CASE(thp_partly_unmapped) {
	.claim = "If a part of a huge page is unmapped, RES counts the pages that are still "
		 "mapped, and AnonHugePages counts none",
	.because =
		"The kernel splits the PMD into one entry per page and removes those in the range, each of which counts as one page. It splits the folio itself later, under memory pressure (deferred_split), so free memory may not rise immediately.",
	.said_by = SAID_BY("Documentation/mm/transhuge.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", step_huge_page),
		       STEP("unmap half", step_unmap, .first = THP / 2, .pages = THP / 2,
			    MOVES(VIRT_DATA(-THP / 2), ANON_HUGE(-THP), ANON_WRITE(THP / 2))),
		       STEP("unmap one page", step_unmap, .pages = 1,
			    MOVES(VIRT_DATA(-1), ANON_WRITE(-1)))),
	.posts = POSTS(ANON_HUGE(1)),
};
