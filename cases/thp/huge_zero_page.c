// SPDX-License-Identifier: MIT
/*
 * Reading untouched huge memory maps the huge zero page: all its pages are present, and no RSS
 * counts them.
 */
#include <rssck/case.h>

enum { REGION = 0 };
STEP_SYMBOLS(MAP_AND_READ, WRITE_ONE_BYTE);

static void map_and_read(struct workload *w)
{
	w->slot[REGION] = workload_huge_zero_page(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t huge = t->host->huge_page_size / t->host->page_size;
	int64_t rss = trial_moved(t, MAP_AND_READ, WRITE_ONE_BYTE, 0, METRIC_SMAPS_RSS);
	int64_t by_pmd = trial_moved(t, MAP_AND_READ, WRITE_ONE_BYTE, 0,
				     METRIC_SMAPS_ANONHUGEPAGES);

	judge_yes_no(j, "huge_zero_page.counted_in_rss",
		     trial_moved(t, STEP_BASELINE, MAP_AND_READ, 0, METRIC_SMAPS_RSS));
	if (rss == huge && by_pmd == huge)
		judge_fact(j, "huge_zero_page.one_byte_written_makes", "a huge page");
	else if (rss == 1 && by_pmd == 0)
		judge_fact(j, "huge_zero_page.one_byte_written_makes", "a small page");
	else
		judge_fact(j, "huge_zero_page.one_byte_written_makes", "%lld pages, %lld huge",
			   (long long)rss, (long long)by_pmd);
}

CASE(thp_huge_zero_page) {
	.claim =
		"If huge pages are allowed, reading untouched anonymous memory makes all pages of a huge page present in pagemap, but adds nothing to any RSS",
	.because =
		"A read fault maps the huge zero page, which no counter includes. A write replaces it by a huge page (do_huge_zero_wp_pmd()). Kernels such as 6.12, or all if no huge page is free, split this mapping and replace the written zero pages one by one.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst, use_zero_page"),
	.needs = NEEDS("thp", "zero_page"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(MAP_AND_READ, "map and read", map_and_read),
		       STEP_AS(WRITE_ONE_BYTE, "write one byte", step_write, .pages = 1,
			       .flags = STEP_ANY_PAGES)),
	.posts = POSTS(VIRT_DATA(1), ZERO_READ(1)),
	.facts = FACTS(FACT("huge_zero_page.counted_in_rss",
			    "Is the huge zero page counted in RSS?", "no"),
		       FACT("huge_zero_page.one_byte_written_makes",
			    "A byte written to the huge zero page makes",
			    "a huge page|a small page")),
	.judge = judge,
};
