// SPDX-License-Identifier: MIT
/* %MEM is a share of MemTotal: top rounds it to the nearest tenth, ps rounds it down. */
#include <rssck/case.h>

/* With less memory, %MEM of ps and top would be only 0.0 or 0.1. */
enum { THOUSANDTHS = 2 };
STEP_SYMBOLS(WRITE_A_SHARE_OF_ALL_MEMORY);

/* Also maps four times as much without touching it. */
static void write_a_share(struct workload *w)
{
	size_t pages = workload_share_of_memory(w, THOUSANDTHS);

	touch_write(w, workload_anonymous(w, 5 * pages), pages);
	workload_expect(w, VIRT_DATA(5 * (int64_t)pages), ANON_WRITE((int64_t)pages));
}

/* A share of 0.0 would prove nothing, so %MEM must be larger. */
static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, WRITE_A_SHARE_OF_ALL_MEMORY,
		   atof(trial_shown(t, WRITE_A_SHARE_OF_ALL_MEMORY, "top", "%MEM")) > 0,
		   "%MEM of top is more than 0.0");
	judge_true(j, WRITE_A_SHARE_OF_ALL_MEMORY,
		   atof(trial_shown(t, WRITE_A_SHARE_OF_ALL_MEMORY, "ps", "%mem")) > 0,
		   "%mem of ps is more than 0.0");
}

CASE(tools_percent) {
	.claim = "%MEM of top is RES divided by MemTotal, rounded to the nearest tenth; %mem of "
		 "ps is rss divided by MemTotal, rounded down to tenths",
	.because = "Neither tool divides by free or available memory. ps computes in whole "
		   "thousandths, so 0.19 is 0.1 in ps and 0.2 in top.",
	.said_by = SAID_BY("top(1), %MEM", "ps(1), %mem"),
	.tools = TOOLS("top", "ps"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITE_A_SHARE_OF_ALL_MEMORY, "write a share of all memory",
			       write_a_share)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
	.judge = judge,
};
