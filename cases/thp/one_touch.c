// SPDX-License-Identifier: MIT
/* Writing one byte to a huge page adds all of it to RES. */
#include <rssck/case.h>

enum { HUGE = 2, REGION = 0 };
STEP_SYMBOLS(MAP, TOUCH_EACH_ONCE);

static int64_t pages(const struct workload *w)
{
	return HUGE * w->huge;
}

static void map(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, HUGE, -1);
	workload_report(w, "region", (int64_t)(uintptr_t)w->slot[REGION]);
	workload_expect(w, VIRT_DATA(pages(w)));
}

static void touch_each(struct workload *w)
{
	workload_huge_write(w, w->slot[REGION], HUGE);
	workload_expect(w, ANON_HUGE(pages(w)));
}

static int64_t of_region(const struct trial *t, enum metric_id id)
{
	return trial_mapping_pages(t, TOUCH_EACH_ONCE, 0, MAP, "region", id);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_value(t, MAP, 0, METRIC_FRAMES_THP) >= 0)
		judge_moved_since(t, j, MAP, TOUCH_EACH_ONCE, METRIC_FRAMES_THP,
				  HUGE * t->host->huge_page_size / t->host->page_size,
				  "kpageflags marks each frame of a huge page");
	judge_fact_of(j, "thp.Pss_counts_of_a_page_of_one_process", of_region(t, METRIC_SMAPS_PSS),
		      of_region(t, METRIC_SMAPS_ANONHUGEPAGES), "nothing", "all", "a part");
}

CASE(thp_one_touch) {
	.claim =
		"If huge pages are allowed, writing one byte adds all pages of a huge page to RES, all dirty and counted in AnonHugePages",
	.because =
		"do_huge_pmd_anonymous_page() maps one PMD and adds HPAGE_PMD_NR to MM_ANONPAGES. Writing the other pages takes no fault.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst",
			   "proc_pid_smaps(5), AnonHugePages"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(MAP, "map", map),
		       STEP_AS(TOUCH_EACH_ONCE, "touch each huge page", touch_each),
		       STEP("write all", step_rewrite, .pages = HUGE * THP, .checks = 1),
		       STEP("unmap one huge page", step_unmap, .pages = THP,
			    MOVES(VIRT_DATA(-THP), ANON_HUGE(-THP)))),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.moves = METRICS(METRIC_FRAMES_THP),
	.facts = FACTS(FACT("thp.Pss_counts_of_a_page_of_one_process",
			    "For a huge page that one process maps, Pss counts", "all|nothing")),
	.judge = judge,
};
