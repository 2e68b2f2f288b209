// SPDX-License-Identifier: MIT
/*
 * ru_maxrss of a running process is its highest RSS so far, even when the RSS rises a second time.
 */
#include <rssck/case.h>

/*
 * FIRST is not a multiple of the usual batches, 66 faults and 32 pages. SECOND exceeds FIRST by
 * more than the lag.
 */
enum { FIRST = 2048 + 20, SECOND = 2 * FIRST, REGION = 0, CHILD = 1 };
STEP_SYMBOLS(WRITE, UNMAP, WRITE_MORE);

static void climb(struct workload *w)
{
	w->slot[REGION] = workload_written(w, (size_t)w->argument);
	workload_report_rusage(w, RUSAGE_SELF);
}

static void fall(struct workload *w)
{
	munmap(w->slot[REGION], FIRST * w->page_size);
	workload_report_rusage(w, RUSAGE_SELF);
}

static void judge(const struct trial *t, struct judgement *j)
{
	/* In each pair, ru_maxrss after the first step must equal the RSS after the second step. */
	static const unsigned steps[][2] = { { WRITE, WRITE },
					     { UNMAP, WRITE },
					     { WRITE_MORE, WRITE_MORE } };
	int64_t bound = model_bound(t->models, METRIC_RUSAGE_MAXRSS, 1);

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		judge_within(j, steps[i][0], CHILD, "ru_maxrss",
			     trial_reported(t, steps[i][0], "maxrss"),
			     trial_pages(t, steps[i][1], CHILD, METRIC_SMAPS_RSS), bound,
			     "ru_maxrss = the highest RSS so far");
}

#define OF_CHILD(symbol, title, function, n)                                        \
	STEP_AS(symbol, title, function, .process = CHILD, .flags = STEP_UNSETTLED, \
		.argument = (n),                                                    \
		MOVES(VIRT_DATA(n, .process = CHILD), ANON_WRITE(n, .process = CHILD)))

CASE(counters_maxrss_climbs_twice) {
	.claim =
		"ru_maxrss of a running process is its highest RSS so far, except for the counters' lag",
	.because = "get_mm_hiwater_rss() takes the larger of two numbers: the approximate RSS "
		   "now, and the peak that was stored when memory was last unmapped.",
	.said_by = SAID_BY("getrusage(2), ru_maxrss"),
	.processes = 1,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("fork", step_fork, .child = CHILD, .flags = STEP_UNSETTLED),
		       OF_CHILD(WRITE, "write", climb, FIRST),
		       OF_CHILD(UNMAP, "unmap", fall, -FIRST),
		       OF_CHILD(WRITE_MORE, "write twice as much", climb, SECOND)),
	.judge = judge,
};
