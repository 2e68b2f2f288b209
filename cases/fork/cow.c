// SPDX-License-Identifier: MIT
/* After fork both processes count every anonymous page; a write copies the page. */
#include <rssck/case.h>

enum { PAGES = 256, PARENT = 0, CHILD = 1 };
STEP_SYMBOLS(WRITE, FORK, CHILD_WRITES_HALF);

static void judge_unique(const struct trial *t, struct judgement *j, unsigned step,
			 int64_t expected)
{
	const struct snapshot *of[] = { trial_snapshot(t, step, PARENT),
					trial_snapshot(t, step, CHILD) };
	uint64_t start = (uint64_t)trial_reported(t, WRITE, "start");
	uint64_t end = start + PAGES * (uint64_t)t->host->page_size;
	int64_t pss = 0;

	for (int i = 0; i < 2; i++) {
		const struct mapping *m = snapshot_mapping(of[i], start);

		pss += m ? mapping_smaps(m, METRIC_SMAPS_PSS) : 0;
	}
	judge_equal(j, step, "sum of Pss", pss * 1024 / t->host->page_size, expected,
		    "the sum of Pss = the number of different pages");
	if (of[0] && of[1] && of[0]->pages)
		judge_equal(j, step, "unique PFNs", pages_unique(of, 2, start, end), expected,
			    "different page frames, counted by PFN");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_unique(t, j, FORK, PAGES);
	judge_unique(t, j, CHILD_WRITES_HALF, PAGES + PAGES / 2);
}

CASE(fork_cow) {
	.claim = "After fork both processes count all anonymous pages. A write gives the writer "
		 "a private copy and changes no RES",
	.because = "fork() copies the page tables, not the pages. Each page is mapped twice: "
		   "smaps shows it as shared, Pss counts half of it, and both RES count it in "
		   "full. A write copies one page: the writer maps the copy, and the old page "
		   "becomes private to the other process.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory", "ELC: USS and PSS"),
	.processes = 1,
	.flags = CASE_PAGES,
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES), .report = "start"),
		       STEP_AS(FORK, "fork", step_fork, FORKED(CHILD, ANON_WRITE, PAGES)),
		       STEP_AS(CHILD_WRITES_HALF, "child writes half", step_write,
			       .pages = PAGES / 2, .process = CHILD,
			       MOVES(PARTED_FROM(CHILD, ANON_WRITE, PAGES / 2))),
		       STEP("child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(ANON_WRITE, PAGES / 2, 2, 1)))),
	.judge = judge,
};
