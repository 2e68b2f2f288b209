// SPDX-License-Identifier: MIT
/* Reports whether a split replaces the zero-filled pages of a huge page by the zero page. */
#ifndef CASES_THP_ZEROES_H
#define CASES_THP_ZEROES_H

#include <rssck/case.h>

/* Only one page of the huge page has content. */
static inline void judge_zeroes(const struct trial *t, struct judgement *j, unsigned before,
				unsigned after, const char *fact)
{
	if (trial_value(t, after, 0, METRIC_PAGEMAP_ZERO) >= 0)
		judge_fact_of(j, fact, trial_moved(t, before, after, 0, METRIC_PAGEMAP_ZERO),
			      t->host->huge_page_size / t->host->page_size - 1, "stay",
			      "become the zero page", "some of both");
}

#endif
