// SPDX-License-Identifier: MIT
/* ps, top and pmap of one process that stands still: do they show the same resident memory? */
#include <rssck/case.h>

/* Fewer than any batch: a lagging counter shows none of them. */
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
	judge_true(j, WRITE, !strcmp(rss, pmap), "top's RSS is pmap's");
}

CASE(tools_disagree) {
	.claim = "ps, top and pmap may show three numbers for the resident memory of one process "
		 "that stands still",
	.because =
		"top's RES is resident of statm, ps's rss is VmRSS, pmap's RSS is Rss of smaps. "
		"The first two are counters: exact since 6.6.99, 6.12.39, 6.15.7 and 6.16, before "
		"that short by the part that is held back.",
	.said_by = SAID_BY("top(1), RES and RSS", "ps(1), rss"),
	.tools = TOOLS("top", "ps", "pmap -x"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, .pages = PAGES, .written = PAGES,
			       .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES)))),
	.facts = FACTS(
		FACT("tools.top_RES_is_ps_rss", "Is top's RES what ps calls rss?", "yes"),
		FACT("tools.ps_rss_is_pmap_RSS", "Is ps's rss what pmap -x calls RSS?", "yes|no"),
		FACT("tools.top_RES_is_top_RSS", "Is top's RES what top calls RSS?", "yes|no")),
	.judge = judge,
};
