// SPDX-License-Identifier: MIT
/*
 * A huge page of which half is unmapped counts half in RES, though all of it may still use memory.
 */
#include <rssck/case.h>

enum { REGION = 0 };

static void unmap_half(struct workload *w)
{
	int64_t half = w->huge / 2;

	munmap((char *)w->slot[REGION] + w->huge_page_size / 2, w->huge_page_size / 2);
	workload_expect(w, VIRT_DATA(-half), ANON_HUGE(-2 * half), ANON_WRITE(half));
}

CASE(thp_partly_unmapped) {
	.claim = "A huge page that is unmapped in part counts in RES by the pages still mapped, "
		 "and no longer in AnonHugePages",
	.because = "The PMD is split into page table entries and those in the range are removed, "
		   "each counted as one page. The folio itself is split later (deferred_split), so "
		   "the system's free memory may not rise yet.",
	.said_by = SAID_BY("Documentation/mm/transhuge.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", step_huge_page), STEP("unmap half", unmap_half),
		       STEP("unmap one page", step_unmap, .pages = 1,
			    MOVES(VIRT_DATA(-1), ANON_WRITE(-1)))),
	.posts = POSTS(ANON_HUGE(1)),
};
