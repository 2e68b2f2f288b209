// SPDX-License-Identifier: MIT
/* With N children the sum of RSS grows with N, and the sum of Pss does not. */
#include <rssck/case.h>

enum { PAGES = 240, CHILDREN = 8, FORKED = 0 };
STEP_SYMBOLS(WRITE, STEP_1_CHILD, STEP_2_CHILDREN, STEP_4_CHILDREN, STEP_8_CHILDREN);

static void fork_up_to(struct workload *w)
{
	unsigned children = (unsigned)w->argument;
	unsigned before = (unsigned)w->number[FORKED];

	for (unsigned i = before + 1; i <= children; i++)
		workload_fork(w, i);
	w->number[FORKED] = children;
	for (unsigned i = 0; i <= children; i++) {
		if (i <= before)
			workload_expect(w, ANON_WRITE(-PAGES, .sharers = before + 1, .process = i));
		else
			workload_expect(w, VIRT_DATA(PAGES, .process = i));
		workload_expect(w, ANON_WRITE(PAGES, .sharers = children + 1, .process = i));
	}
}

static void judge_frames(const struct trial *t, struct judgement *j, unsigned step,
			 const struct snapshot *const *of, size_t n)
{
	uint64_t start = (uint64_t)trial_reported(t, WRITE, "start");
	uint64_t end = start + PAGES * (uint64_t)t->host->page_size;

	judge_equal(j, step, "unique PFNs", pages_unique(of, n, start, end), PAGES,
		    "all processes map the same frames");
	for (size_t i = 0; i < of[0]->nr_pages; i++) {
		const struct page *p = &of[0]->pages[i];

		if (p->address >= start && p->address < end && p->mapcount >= 0)
			judge_equal_in(j, "mappings", step, "kpagecount", p->mapcount, (int64_t)n,
				       "each frame is mapped by every process");
	}
}

static void judge_sums(const struct trial *t, struct judgement *j, unsigned step, size_t n)
{
	const struct snapshot *of[CHILDREN + 1] = { 0 };
	uint64_t start = (uint64_t)trial_reported(t, WRITE, "start");
	int64_t rss = 0, pss = 0, unit = t->host->page_size / 1024;

	for (size_t i = 0; i < n; i++) {
		of[i] = trial_snapshot(t, step, (unsigned)i);
		const struct mapping *m = snapshot_mapping(of[i], start);

		if (!m)
			return judge_true(j, step, false, "every process has the mapping");
		rss += mapping_smaps(m, METRIC_SMAPS_RSS);
		pss += mapping_smaps(m, METRIC_SMAPS_PSS);
	}
	judge_equal(j, step, "sum of Rss", rss / unit, (int64_t)n * PAGES,
		    "the sum of Rss counts each page once per process");
	/*
	 * The 12 fraction bits of Pss cannot express a third of a page, and smaps rounds each sum
	 * down.
	 */
	judge_true(
		j, step, pss <= PAGES * unit && pss >= PAGES * unit - (int64_t)n,
		"the sum of Pss counts each page once; rounding may take up to 1 kB per process from it");
	if (of[0]->pages)
		judge_frames(t, j, step, of, n);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_sums(t, j, STEP_1_CHILD, 2);
	judge_sums(t, j, STEP_2_CHILDREN, 3);
	judge_sums(t, j, STEP_4_CHILDREN, 5);
	judge_sums(t, j, STEP_8_CHILDREN, 9);
}

CASE(fork_many) {
	.claim =
		"If a process and N forked children share memory, the sum of RSS counts the memory N + 1 times, and the sum of Pss once",
	.because = "RSS counts a page in full in every process that maps it; Pss divides the "
		   "page by its mapcount. So only Pss can be added up over processes.",
	.said_by = SAID_BY("ELC: USS and PSS", "Memory part 3: Managing memory"),
	.processes = CHILDREN,
	.flags = CASE_PAGES | CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES), .report = "start"),
		       STEP_AS(STEP_1_CHILD, "1 child", fork_up_to, .argument = 1),
		       STEP_AS(STEP_2_CHILDREN, "2 children", fork_up_to, .argument = 2),
		       STEP_AS(STEP_4_CHILDREN, "4 children", fork_up_to, .argument = 4),
		       STEP_AS(STEP_8_CHILDREN, "8 children", fork_up_to, .argument = CHILDREN)),
	.posts = POSTS(ANON_WRITE(1, .sharers = 2)),
	.judge = judge,
};
