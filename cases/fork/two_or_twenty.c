// SPDX-License-Identifier: MIT
/*
 * The Shared and Private fields are the same for memory that two processes share and for memory
 * that twenty share; Pss differs.
 */
#include <rssck/case.h>

enum { PAGES = 200, CHILDREN = 19, TWO = 0, TWENTY = 1 };
STEP_SYMBOLS(WRITE, FORK);

static void map_and_write(struct workload *w)
{
	static const char *const names[] = { "two", "twenty" };

	for (int i = 0; i < 2; i++) {
		w->slot[i] = workload_anonymous(w, PAGES);
		touch_write(w, w->slot[i], PAGES);
		workload_report(w, names[i], (int64_t)(uintptr_t)w->slot[i]);
	}
}

static void fork_all(struct workload *w)
{
	workload_fork(w, 1);
	workload_advise(w, w->slot[TWO], PAGES * w->page_size, MADV_DONTFORK);
	for (unsigned i = 2; i <= CHILDREN; i++)
		workload_fork(w, i);
}

static void judge_region(const struct trial *t, struct judgement *j, const char *name, int sharers)
{
	const struct mapping *m = trial_mapping(t, FORK, 0, WRITE, name);
	int64_t unit = t->host->page_size / 1024;

	if (!m)
		return judge_true(j, FORK, false, "smaps lists the region");
	judge_equal(j, FORK, "Shared_Dirty", mapping_smaps(m, METRIC_SMAPS_SHARED_DIRTY) / unit,
		    PAGES, "Shared_Dirty counts all pages, for two sharers as for twenty");
	judge_equal(j, FORK, "Private_Dirty", mapping_smaps(m, METRIC_SMAPS_PRIVATE_DIRTY) / unit,
		    0, "Private_Dirty counts no page");
	int64_t pss = mapping_smaps(m, METRIC_SMAPS_PSS), share = PAGES * unit / sharers;

	judge_true(j, FORK, pss == share || pss == share - 1,
		   "Pss = Rss divided by the number of sharers, rounded down to a kB");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_region(t, j, "two", 2);
	judge_region(t, j, "twenty", CHILDREN + 1);
}

CASE(fork_two_or_twenty) {
	.claim = "Shared_Dirty is the same for memory that two processes share and for memory "
		 "that twenty share; Pss differs",
	.because =
		"Shared_Dirty depends only on whether a page's mapcount is above 1; Pss divides by the mapcount.",
	.said_by = SAID_BY("ELC: USS and PSS", "proc_pid_smaps(5), Pss"),
	.processes = CHILDREN,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITE, "write", map_and_write,
			       MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(2 * PAGES))),
		       STEP_AS(FORK, "fork", fork_all, .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
