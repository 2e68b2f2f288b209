// SPDX-License-Identifier: MIT
/* When a huge page is split, its zero-filled pages may leave RES. */
#include "zeroes.h"

STEP_SYMBOLS(TOUCH_ONE_BYTE, COLD_HALF);

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_value(t, COLD_HALF, 0, METRIC_PAGEMAP_ZERO) < 0)
		return;
	judge_equal(j, COLD_HALF, "AnonHugePages",
		    trial_mapping_pages(t, COLD_HALF, 0, TOUCH_ONE_BYTE, "address",
					METRIC_SMAPS_ANONHUGEPAGES),
		    0, "MADV_COLD of half a huge page splits it");
	judge_zeroes(t, j, TOUCH_ONE_BYTE, COLD_HALF, "thp.pages_of_zeroes_when_it_is_split");
}

CASE(thp_zero_filled) {
	.claim = "When MADV_COLD of a part splits a huge page, all its pages stay in RES on older "
		 "kernels; since 6.12 only its pages with content stay",
	.because = "When an anonymous huge page is split, try_to_map_unused_to_zeropage() replaces "
		   "each zero-filled page by the zero page, and lowers MM_ANONPAGES by one (since "
		   "6.12).",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst, shrink_underused"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(TOUCH_ONE_BYTE, "touch one byte", step_huge_page,
			       .report = "address"),
		       STEP_AS(COLD_HALF, "MADV_COLD half", step_advise, .pages = THP / 2,
			       .advice = MADV_COLD, .flags = STEP_ANY_PAGES)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.facts = FACTS(FACT("thp.pages_of_zeroes_when_it_is_split",
			    "When MADV_COLD splits a huge page, its zero-filled pages",
			    "become the zero page|stay")),
	.judge = judge,
};
