// SPDX-License-Identifier: MIT
/* MADV_COLD clears the accessed bits of pages and removes no page. */
#include <rssck/case.h>

enum { PAGES = 256 };
STEP_SYMBOLS(WRITE, COLD);

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { WRITE, COLD };

	for (int i = 0; i < 2; i++)
		judge_equal(j, steps[i], "Referenced",
			    trial_mapping_pages(t, steps[i], 0, WRITE, "address",
						METRIC_SMAPS_REFERENCED),
			    i ? 0 : PAGES,
			    i ? "MADV_COLD clears Referenced of the advised pages"
			      : "Referenced counts the written pages");
}

CASE(anonymous_cold) {
	.claim = "MADV_COLD of private pages lowers their Referenced to 0 and changes no other "
		 "number of the process: the pages stay in RES",
	.because = "madvise_cold_or_pageout_pte_range() clears the accessed bit of each entry and "
		   "moves its page to the inactive list, where reclaim looks first.",
	.said_by = SAID_BY("madvise(2), MADV_COLD"),
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES), .report = "address"),
		       STEP_AS(COLD, "MADV_COLD", step_advise, .pages = PAGES,
			       .advice = MADV_COLD)),
	.judge = judge,
};
