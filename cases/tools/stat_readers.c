// SPDX-License-Identifier: MIT
/* pidstat and top of one process that stands still: a reader of stat beside a reader of statm. */
#include <rssck/case.h>

/* Fewer than any batch: a lagging counter shows none of them. */
enum { PAGES = 20 };
STEP_SYMBOLS(WRITE);

static void judge(const struct trial *t, struct judgement *j)
{
	const char *top = trial_shown(t, WRITE, "top", "RES");
	const char *pidstat = trial_shown(t, WRITE, "pidstat", "RSS");

	judge_fact(j, "tools.pidstat_RSS_is_top_RES", "%s", strcmp(top, pidstat) ? "no" : "yes");
}

CASE(tools_stat_readers) {
	.claim = "Since 6.6.99, 6.12.39, 6.15.7 and 6.16 top's RES is right where pidstat's RSS "
		 "lags; before, both lag alike",
	.because = "pidstat, atop, busybox, btop and Prometheus's client libraries read field 24 "
		   "of stat, which is approximate; top, htop and psutil read statm, which adds up "
		   "all CPUs.",
	.said_by = SAID_BY("commit 82241a83cd15 (6.16)"),
	.tools = TOOLS("top", "pidstat"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, .pages = PAGES, .written = PAGES,
			       .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES)))),
	.facts = FACTS(FACT("tools.pidstat_RSS_is_top_RES", "Is pidstat's RSS top's RES?",
			    "yes|no")),
	.judge = judge,
};
