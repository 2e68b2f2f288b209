// SPDX-License-Identifier: MIT
/* Reading untouched memory maps the zero page, which is present in pagemap and in no RSS. */
#include <rssck/case.h>

enum { PAGES = 256 };
STEP_SYMBOLS(MAP_AND_READ);

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *before = trial_snapshot(t, STEP_BASELINE, 0);
	const struct snapshot *after = trial_snapshot(t, MAP_AND_READ, 0);
	long page = t->host->page_size;

	judge_yes_no(j, "zero_page.counted_in_rss",
		     snapshot_pages(after, METRIC_SMAPS_RSS, page) >
			     snapshot_pages(before, METRIC_SMAPS_RSS, page));
	judge_yes_no(j, "zero_page.present_in_pagemap",
		     snapshot_value(after, METRIC_PAGEMAP_PRESENT) >
			     snapshot_value(before, METRIC_PAGEMAP_PRESENT));
}

CASE(anonymous_zero_page) {
	.claim =
		"Reading untouched private anonymous memory makes its pages present in pagemap, but adds nothing to any RSS",
	.because = "A read fault maps the zero page. vm_normal_page() returns NULL for it, so "
		   "neither the counters nor smaps count it. The first write replaces the zero "
		   "page by a new page.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst"),
	.needs = NEEDS("zero_page"),
	.steps = STEPS(
		STEP_AS(MAP_AND_READ, "map and read", step_map, .pages = PAGES, .read = PAGES,
			MOVES(VIRT_DATA(PAGES), ZERO_READ(PAGES))),
		STEP("write half", step_write, .pages = PAGES / 2, MOVES(ZERO_TO_ANON(PAGES / 2))),
		STEP("write the rest", step_write, .pages = PAGES, MOVES(ZERO_TO_ANON(PAGES / 2)))),
	.facts = FACTS(FACT("zero_page.counted_in_rss", "Is the zero page counted in RSS?", "no"),
		       FACT("zero_page.present_in_pagemap", "Is the zero page present in pagemap?",
			    "yes")),
	.judge = judge,
};
