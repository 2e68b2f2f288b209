// SPDX-License-Identifier: MIT
/*
 * Measures by how many pages the counters lag when 1, 2, 4 ... 100 threads have pages in their
 * batches.
 */
#include <rssck/case.h>

/*
 * Each thread writes PAGES pages. Together with the pages of its stack these are fewer than the
 * per-thread batch of faults, so all of them stay in the batch.
 */
enum { PAGES = 60, MOST_THREADS = 100, REGION = 0, WRITTEN = 0 };
STEP_SYMBOLS(MAP);

static void touch(struct workload *w, unsigned index)
{
	touch_write(w, (char *)w->slot[REGION] + (size_t)index * PAGES * w->page_size, PAGES);
}

/* Ends the previous step's threads first: their batches are added to the counters when they end. */
static void start(struct workload *w)
{
	if (w->number[WRITTEN]) {
		workload_threads_end(w);
		madvise(w->slot[REGION], (size_t)w->number[WRITTEN] * w->page_size, MADV_DONTNEED);
	}
	workload_threads(w, (unsigned)w->argument, touch);
	w->number[WRITTEN] = w->argument * PAGES;
}

/*
 * With per-thread batches, all pages that the threads have written must be missing from the
 * counters.
 */
static void judge_threads(const struct trial *t, size_t i, int64_t threads, struct judgement *j)
{
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };
	unsigned step = t->moments[i].symbol;

	judge_equal_in(j, "threads", step, "threads", t->moments[i].threads, threads + 1,
		       "the leader and the threads that the step started");
	/* The region may have merged with a thread's stack, which adds pages. */
	judge_true(j, step,
		   trial_mapping_pages(t, step, 0, MAP, "address", METRIC_SMAPS_RSS) >=
			   threads * PAGES,
		   "each thread has written its pages");
	judge_true(j, step,
		   trial_moved(t, t->moments[i - 1].symbol, step, 0, METRIC_STAT_MINFLT) >=
			   threads * PAGES,
		   "each page that a thread wrote took a fault");
	for (size_t k = 0; k < sizeof(ids) / sizeof(*ids); k++) {
		const struct counter_model *m = &t->models->of[ids[k]];

		if (m->kind == MODEL_PER_THREAD && m->batch > PAGES)
			judge_true(j, step, trial_lag(t, step, 0, ids[k]) >= threads * PAGES,
				   "each thread's batch holds all pages that the thread wrote");
	}
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const struct curve_axes axes = { "lag by threads", "threads", "pages off" };

	for (size_t i = 0; i < t->nr_moments; i++) {
		int64_t threads = t->moments[i].step ? t->moments[i].step->argument : 0;

		if (!threads)
			continue;
		judge_threads(t, i, threads, j);
		judge_lag_point(
			t, i, j, &axes, threads,
			&(struct holders) { (unsigned)threads + 1, t->host->nr_cpu_list, 1 });
	}
}

#define THREADS(title, n) \
	STEP(title, start, .argument = (n), .flags = STEP_UNSETTLED | STEP_ANY_PAGES)

CASE(counters_lag_by_threads) {
	.claim =
		"With per-thread batches the lag of RSS grows with the number of threads; on other kernels the largest possible lag does not depend on that number",
	.because =
		"Up to 6.1 each thread keeps its last faults in a batch, so every thread adds to the lag. Since 6.2 each CPU has a batch, so threads beyond the number of CPUs add nothing. Files that sum the per-CPU parts are exact.",
	.said_by = SAID_BY("commit 34e55232e59f (2.6.34)", "commit f1a7941243c1 (6.2)"),
	.flags = CASE_ALL_CPUS | CASE_KEEPS_MEMORY,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(MAP, "map", step_map, .pages = (size_t)MOST_THREADS * PAGES,
			       .report = "address", MOVES(VIRT_DATA((int64_t)MOST_THREADS *PAGES))),
		       THREADS("1 thread", 1), THREADS("2 threads", 2), THREADS("4 threads", 4),
		       THREADS("8 threads", 8), THREADS("16 threads", 16),
		       THREADS("32 threads", 32), THREADS("64 threads", 64),
		       THREADS("100 threads", 100)),
	.judge = judge,
};
