// SPDX-License-Identifier: MIT
/* The kernel prints RLIMIT_RSS, but the limit has no effect. */
#include <rssck/case.h>

enum { PAGES = 256, LIMIT = 64 };
STEP_SYMBOLS(LIMIT_STEP, READ_AHEAD, DOUBLE_IT);

static void limit(struct workload *w)
{
	struct rlimit r;

	workload_must(w, getrlimit(RLIMIT_RSS, &r), "getrlimit");
	if (r.rlim_max != RLIM_INFINITY && r.rlim_max < 2 * LIMIT * w->page_size)
		workload_skip(w, "a hard RLIMIT_RSS above %zu bytes", 2 * LIMIT * w->page_size);
	r.rlim_cur = LIMIT * w->page_size * (r.rlim_cur == LIMIT * w->page_size ? 2 : 1);
	workload_must(w, setrlimit(RLIMIT_RSS, &r), "setrlimit");
}

static void advise(struct workload *w)
{
	void *p = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE, workload_file(w, PAGES));
	int failed = madvise(p, PAGES * w->page_size, MADV_WILLNEED);

	workload_must(w, (failed && errno != EIO) ? -1 : 0, "MADV_WILLNEED");
	workload_report(w, "succeeded", !failed);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t first = trial_value(t, LIMIT_STEP, 0, METRIC_STAT_RSSLIM);
	int64_t moved = trial_moved(t, LIMIT_STEP, DOUBLE_IT, 0, METRIC_STAT_RSSLIM);

	judge_fact(j, "rlimit_rss.MADV_WILLNEED_beyond_it", "%s",
		   trial_reported(t, READ_AHEAD, "succeeded") ? "0" : "EIO");
	judge_equal_in(j, "bytes", LIMIT_STEP, "stat.rsslim", first, LIMIT * t->host->page_size,
		       "rsslim = the soft RLIMIT_RSS, in bytes");
	judge_moved(j, DOUBLE_IT, METRIC_STAT_RSSLIM, moved, LIMIT, 0,
		    "rsslim = the soft RLIMIT_RSS, in bytes");
}

CASE(virtual_rlimit_rss) {
	.claim = "rsslim shows the soft RLIMIT_RSS, but the limit has no effect: RES may exceed "
		 "it",
	.because =
		"The kernel only prints task_rlimit(RLIMIT_RSS). Only madvise(MADV_WILLNEED) ever checked it, up to 2.4.29.",
	.said_by = SAID_BY("proc_pid_stat(5), rsslim", "getrlimit(2), RLIMIT_RSS"),
	.steps = STEPS(STEP_AS(LIMIT_STEP, "limit", limit),
		       STEP("exceed the limit", step_map, ALL_WRITTEN(PAGES)),
		       STEP_AS(READ_AHEAD, "read ahead", advise, MOVES(VIRT_OTHER(PAGES))),
		       STEP_AS(DOUBLE_IT, "double the limit", limit)),
	.facts = FACTS(FACT("rlimit_rss.MADV_WILLNEED_beyond_it",
			    "Beyond RLIMIT_RSS, madvise(MADV_WILLNEED) returns", "0")),
	.moves = METRICS(METRIC_STAT_RSSLIM),
	.judge = judge,
};
