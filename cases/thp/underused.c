// SPDX-License-Identifier: MIT
/* Since 6.12 a shrinker splits a huge page with many zero-filled pages, and RES falls. */
#include "zeroes.h"

enum { WAS = 0 };
STEP_SYMBOLS(TOUCH_ONE_BYTE, SHRINK);

#define MAX_NONE "/sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_none"

/*
 * The shrinker splits nothing unless max_ptes_none is less than the pages of a huge page minus one
 * (thp_underused()).
 */
static void touch_one_byte(struct workload *w)
{
	w->number[WAS] = workload_number(MAX_NONE, NULL, -1);
	if (w->number[WAS] < 0)
		workload_skip(w, "%s", MAX_NONE);
	workload_set(w, MAX_NONE, "64");
	workload_huge_page(w);
}

/* drop_caches calls all shrinkers. */
static void shrink(struct workload *w)
{
	static const char event[] = "thp_underused_split_page";
	int64_t before = workload_number("/proc/vmstat", event, INT64_MIN);

	workload_set(w, "/proc/sys/vm/drop_caches", "2");
	if (before != INT64_MIN)
		workload_report(w, event, workload_number("/proc/vmstat", event, 0) - before);
	workload_set_number(w, MAX_NONE, w->number[WAS]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t zeroes = trial_moved(t, TOUCH_ONE_BYTE, SHRINK, 0, METRIC_PAGEMAP_ZERO);
	int64_t splits = trial_reported_or(t, SHRINK, "thp_underused_split_page", INT64_MIN);

	if (zeroes > 0 && splits != INT64_MIN)
		judge_true(j, SHRINK, splits > 0, "thp_underused_split_page counts the split");
	judge_zeroes(t, j, TOUCH_ONE_BYTE, SHRINK, "thp.pages_of_zeroes_when_memory_is_short");
}

CASE(thp_underused) {
	.claim = "When the kernel calls its shrinkers, a huge page with more zero-filled pages "
		 "than max_ptes_none stays in RES on older kernels; since 6.12 only its pages "
		 "with content stay",
	.because =
		"A new huge page goes to the deferred split queue. If max_ptes_none is less than the pages of a huge page minus one, and more of its pages are zero-filled than max_ptes_none, deferred_split_scan() splits it (since 6.12).",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst, shrink_underused"),
	.needs = NEEDS("thp", "root", "guest"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(TOUCH_ONE_BYTE, "touch one byte", touch_one_byte),
		       STEP_AS(SHRINK, "call the shrinkers", shrink, .flags = STEP_ANY_PAGES)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.facts = FACTS(FACT("thp.pages_of_zeroes_when_memory_is_short",
			    "When the kernel calls its shrinkers, zero-filled pages of a huge page",
			    "become the zero page|stay")),
	.judge = judge,
};
