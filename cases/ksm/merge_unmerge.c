// SPDX-License-Identifier: MIT
/* RES of every process that maps a merged page counts it once per entry; a write makes a copy. */
#include "rounds.h"

enum { PAGES = 64, HALF = PAGES / 2, LEFT = HALF - 1, REGION = 0, CHILD = 1 };
STEP_SYMBOLS(WRITE_PAGES_ALIKE, MERGEABLE, UNMERGEABLE);

static void map_and_write(struct workload *w)
{
	ksm_map_alike(w, REGION, PAGES);
}

static void merge(struct workload *w)
{
	if (workload_number("/proc/self/ksm_merging_pages", NULL, -1) < 0)
		workload_skip(w, "/proc/PID/ksm_merging_pages (Linux 5.19)");
	ksm_merge(w, w->slot[REGION], PAGES);
}

/* The pages differ, so that ksmd does not merge them again. */
static void write_half(struct workload *w)
{
	for (size_t i = 0; i < HALF; i++)
		snprintf((char *)w->slot[REGION] + i * w->page_size, 64, "rssck %d %zu",
			 (int)getpid(), i);
}

static void unmerge(struct workload *w)
{
	int64_t clean;

	workload_advise(w, w->slot[REGION], (PAGES - 1) * w->page_size, MADV_UNMERGEABLE);
	clean = workload_pages_clean(w, w->slot[REGION]);
	workload_expect(w, ANON_CLEAN(clean), ANON_WRITE(LEFT - clean));
	workload_report(w, "clean", clean);
}

static void judge_flag(const struct trial *t, struct judgement *j)
{
	int64_t n = trial_value(t, STEP_BASELINE, 0, METRIC_FRAMES_KSM);
	int64_t alike = trial_value(t, WRITE_PAGES_ALIKE, 0, METRIC_FRAMES_KSM);
	int64_t merged = trial_value(t, MERGEABLE, 0, METRIC_FRAMES_KSM);

	if (n < 0)
		return;
	judge_fact_of(j, "ksm.bit_21_of_kpageflags_is_on", alike - n, PAGES, "merged pages",
		      "all anonymous pages", "some anonymous pages");
	judge_moved(j, MERGEABLE, METRIC_FRAMES_KSM, merged - alike, alike == n ? PAGES : 0, 0,
		    "bit 21 is set for the merged pages");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t clean = trial_reported(t, UNMERGEABLE, "clean");

	judge_fact_of(j, "ksm.unmerged_is", clean, LEFT, "dirty", "clean",
		      "some clean, some dirty");
	judge_flag(t, j);
}

CASE(ksm_merge_unmerge) {
	.claim = "When KSM merges pages, RES still counts each of them, and smaps shows them as "
		 "shared; Pss falls by the memory that KSM saves",
	.because = "replace_page() replaces one anonymous page by another, so MM_ANONPAGES does "
		   "not change. The merged page has one entry for each page that it replaces, in "
		   "one process or in many. On newer kernels a page that is unmerged without a "
		   "write is clean, although no file and no swap slot has its content.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst", "madvise(2), MADV_MERGEABLE"),
	.needs = NEEDS("ksm"),
	.processes = 1,
	.limit_s = 30,
	.steps = STEPS(STEP_AS(WRITE_PAGES_ALIKE, "write equal pages", map_and_write,
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP_AS(MERGEABLE, "MADV_MERGEABLE", merge,
			       MOVES(ANON_WRITE(-PAGES), MERGED(PAGES, PAGES))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(MERGED(-PAGES, PAGES), MERGED(PAGES, 2 * PAGES),
				  VIRT_DATA(PAGES, .process = CHILD),
				  MERGED(PAGES, 2 * PAGES, .process = CHILD))),
		       STEP("the child exits", step_reap, .child = CHILD,
			    MOVES(MERGED(-PAGES, 2 * PAGES), MERGED(PAGES, PAGES))),
		       STEP("write half", write_half,
			    MOVES(MERGED(-PAGES, PAGES), MERGED(HALF, HALF), ANON_WRITE(HALF))),
		       STEP("unmap a merged page", step_unmap, .first = PAGES - 1, .pages = 1,
			    MOVES(VIRT_DATA(-1), MERGED(-HALF, HALF), MERGED(LEFT, LEFT))),
		       STEP_AS(UNMERGEABLE, "MADV_UNMERGEABLE", unmerge,
			       MOVES(MERGED(-LEFT, LEFT)))),
	.facts = FACTS(FACT("ksm.unmerged_is", "A page that KSM unmerged is", "clean|dirty"),
		       FACT("ksm.bit_21_of_kpageflags_is_on",
			    "Bit 21 of kpageflags (KSM) is on for",
			    "merged pages|all anonymous pages")),
	.moves = METRICS(METRIC_FRAMES_KSM),
	.judge = judge,
};
