// SPDX-License-Identifier: MIT
/* Zero-filled pages of a huge page that a split replaces by the zero page, or not. */
#ifndef CASES_THP_ZEROES_H
#define CASES_THP_ZEROES_H

#include <rssck/case.h>

/*
 * Tells in a fact what became of the zero-filled pages of one huge page, of which one page has
 * content, between two steps.
 */
static inline void judge_zeroes(const struct trial *t, struct judgement *j, unsigned before,
				unsigned after, const char *fact)
{
	if (trial_value(t, after, 0, METRIC_PAGEMAP_ZERO) >= 0)
		judge_fact_of(j, fact, trial_moved(t, before, after, 0, METRIC_PAGEMAP_ZERO),
			      t->host->huge_page_size / t->host->page_size - 1, "stay",
			      "become the zero page", "some of both");
}

#endif
