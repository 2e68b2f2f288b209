// SPDX-License-Identifier: MIT
/* majflt includes the major faults of all threads, even of ended ones. */
#include <rssck/case.h>

enum { PAGES = 16, REGION = 0 };
STEP_SYMBOLS(MAP, THREAD_READS, THREAD_ENDS);

static void map(struct workload *w)
{
	step_map_file(w);
	workload_report(w, "at once", (int64_t)workload_cached_at_once(w));
}

static void read_file(struct workload *w, unsigned index)
{
	(void)index;
	touch_read(w, w->slot[REGION], PAGES);
}

static void thread_reads(struct workload *w)
{
	workload_threads(w, 1, read_file);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { THREAD_READS, THREAD_ENDS };
	/* The file system reads at_once pages at a time, so one fault may read several pages. */
	int64_t at_once = trial_reported(t, MAP, "at once");

	for (size_t i = 0; i < 2; i++)
		judge_moved_since(t, j, MAP, steps[i], METRIC_STAT_MAJFLT,
				  (PAGES + at_once - 1) / at_once,
				  "majflt = the major faults of all threads, including ended ones");
}

CASE(counters_major_faults_of_threads) {
	.claim = "majflt includes the major faults of every thread, both while the thread runs "
		 "and after it has ended",
	.because = "__exit_signal() adds up the major faults of ended threads. do_task_stat() "
		   "adds those of the running threads.",
	.said_by = SAID_BY("proc_pid_stat(5), majflt"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP_AS(MAP, "map", map, .pages = PAGES, .prot = PROT_READ,
			       .advice = MADV_RANDOM, MOVES(VIRT_OTHER(PAGES))),
		       STEP_AS(THREAD_READS, "thread reads", thread_reads, .flags = STEP_ANY_PAGES),
		       STEP_AS(THREAD_ENDS, "thread ends", step_end_threads,
			       .flags = STEP_ANY_PAGES)),
	.moves = METRICS(METRIC_STAT_MAJFLT),
	.judge = judge,
};
