// SPDX-License-Identifier: MIT
/* Compares pidstat, which reads stat, and top, which reads statm, for one stopped process. */
#include <rssck/case.h>

/*
 * PAGES is less than any batch. A counter with per-CPU batches shows none of these pages; one with
 * per-thread batches does not show all of them.
 */
enum { PAGES = 20 };
STEP_SYMBOLS(WRITE);

static void judge(const struct trial *t, struct judgement *j)
{
	const char *top = trial_shown(t, WRITE, "top", "RES");
	const char *pidstat = trial_shown(t, WRITE, "pidstat", "RSS");

	judge_fact(j, "tools.pidstat_RSS_is_top_RES", "%s", strcmp(top, pidstat) ? "no" : "yes");
}

CASE(tools_stat_readers) {
	.claim = "Since 6.6.99, 6.12.39, 6.15.7 and 6.16, top's RES is exact and pidstat's RSS may "
		 "lag; on older kernels both lag alike",
	.because = "pidstat, atop, busybox, btop and Prometheus's client libraries read field 24 "
		   "of stat, which is approximate; top, htop and psutil read statm, which adds up "
		   "all CPUs.",
	.said_by = SAID_BY("commit 82241a83cd15 (6.16)"),
	.tools = TOOLS("top", "pidstat"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES),
			       .flags = STEP_UNSETTLED)),
	.facts = FACTS(FACT("tools.pidstat_RSS_is_top_RES", "Does pidstat's RSS equal top's RES?",
			    "yes|no")),
	.judge = judge,
};
