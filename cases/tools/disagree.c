// SPDX-License-Identifier: MIT
/* Compares the resident memory that ps, top and pmap show for one stopped process. */
#include <rssck/case.h>

/*
 * PAGES is less than any batch. A counter with per-CPU batches shows none of these pages; one with
 * per-thread batches does not show all of them.
 */
enum { PAGES = 20 };
STEP_SYMBOLS(WRITE);

static void judge(const struct trial *t, struct judgement *j)
{
	const char *res = trial_shown(t, WRITE, "top", "RES");
	const char *rss = trial_shown(t, WRITE, "top", "RSS");
	const char *ps = trial_shown(t, WRITE, "ps", "rss");
	const char *pmap = trial_shown(t, WRITE, "pmap -x", "RSS");

	judge_fact(j, "tools.top_RES_is_ps_rss", "%s", strcmp(res, ps) ? "no" : "yes");
	judge_fact(j, "tools.ps_rss_is_pmap_RSS", "%s", strcmp(ps, pmap) ? "no" : "yes");
	judge_fact(j, "tools.top_RES_is_top_RSS", "%s", strcmp(res, rss) ? "no" : "yes");
	judge_true(j, WRITE, !strcmp(rss, pmap), "top's RSS equals pmap's");
}

CASE(tools_disagree) {
	.claim =
		"ps, top and pmap may show two different numbers for the resident memory of one stopped process",
	.because =
		"RES of top is resident of statm, rss of ps is VmRSS, and RSS of pmap is Rss of "
		"smaps. The first two are counters. They are exact since 6.6.99, 6.12.39, 6.15.7 "
		"and 6.16, and lag on older kernels.",
	.said_by = SAID_BY("top(1), RES and RSS", "ps(1), rss"),
	.tools = TOOLS("top", "ps", "pmap -x"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES),
			       .flags = STEP_UNSETTLED)),
	.facts = FACTS(
		FACT("tools.top_RES_is_ps_rss", "Does top's RES equal ps's rss?", "yes"),
		FACT("tools.ps_rss_is_pmap_RSS", "Does ps's rss equal pmap -x's RSS?", "yes|no"),
		FACT("tools.top_RES_is_top_RSS", "Does top's RES equal top's RSS?", "yes|no")),
	.judge = judge,
};
