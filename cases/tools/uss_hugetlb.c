// SPDX-License-Identifier: MIT
/* The USS of top and ps excludes private hugetlb pages, although no other process maps them. */
#include <rssck/case.h>

STEP_SYMBOLS(STAND_STILL, WRITE);

static void map_and_write(struct workload *w)
{
	int64_t pages = (2 << 20) / (int64_t)w->page_size;
	void *p = workload_try_map(2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_HUGETLB, -1);

	if (!p)
		workload_skip(w, "a hugetlb page of 2 MiB: %m");
	workload_remember(w, p, 2 << 20);
	touch_write(w, p, 1);
	workload_expect(w, VIRT_DATA(pages), HUGETLB(pages));
}

static void judge(const struct trial *t, struct judgement *j)
{
	const char *before = trial_shown(t, STAND_STILL, "top", "USS");
	const char *after = trial_shown(t, WRITE, "top", "USS");

	judge_true(j, WRITE, !strcmp(before, after),
		   "top's USS stays the same when the hugetlb page is written");
	judge_true(j, WRITE, !strcmp(after, trial_shown(t, WRITE, "ps", "uss")),
		   "top and ps show the same USS");
}

CASE(tools_uss_hugetlb) {
	.claim = "The USS of top and ps excludes a private hugetlb page of 2 MiB",
	.because = "libproc2 adds Private_Clean and Private_Dirty, and leaves out "
		   "Private_Hugetlb, a separate field. psutil includes it.",
	.said_by = SAID_BY("ps(1), uss", "top(1), USS"),
	.tools = TOOLS("top", "ps"),
	.needs = NEEDS("hugetlb"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(STAND_STILL, "do nothing", step_nothing),
		       STEP_AS(WRITE, "write", map_and_write)),
	.posts = POSTS(VIRT_DATA(1), HUGETLB(1)),
	.judge = judge,
};
