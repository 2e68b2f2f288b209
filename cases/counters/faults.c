// SPDX-License-Identifier: MIT
/*
 * In private anonymous memory minflt counts one fault for the first read of an untouched page, one
 * for the first write of a page, and none for later accesses.
 */
#include <rssck/case.h>

enum { PAGES = 200 };
STEP_SYMBOLS(MAP, READ_HALF, WRITE_ALL, WRITE_AGAIN, MAP_POPULATED, ASK_GETRUSAGE_2);

static void judge_same(const struct trial *t, struct judgement *j, enum metric_id id,
		       const char *reported)
{
	judge_equal(j, ASK_GETRUSAGE_2, metric(id)->name, trial_value(t, ASK_GETRUSAGE_2, 0, id),
		    trial_reported(t, ASK_GETRUSAGE_2, reported),
		    "stat and getrusage(2) show the same count");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_moved_since(t, j, MAP, READ_HALF, METRIC_STAT_MINFLT, PAGES / 2,
			  "a read fault that maps the zero page is counted");
	judge_moved_since(t, j, READ_HALF, WRITE_ALL, METRIC_STAT_MINFLT,
			  t->host->reads_own_pages ? PAGES / 2 : PAGES,
			  "each page written takes one fault, even if the zero page was mapped "
			  "before");
	judge_moved_since(t, j, WRITE_ALL, WRITE_AGAIN, METRIC_STAT_MINFLT, 0,
			  "a present page takes no fault");
	judge_moved_since(t, j, WRITE_AGAIN, MAP_POPULATED, METRIC_STAT_MINFLT, PAGES,
			  "pages that MAP_POPULATE faults in are counted, too");
	judge_moved_since(t, j, MAP, WRITE_AGAIN, METRIC_STAT_MAJFLT, 0,
			  "no fault is a major fault");
	judge_same(t, j, METRIC_STAT_MINFLT, "minflt");
	judge_same(t, j, METRIC_STAT_MAJFLT, "majflt");
}

CASE(counters_faults) {
	.claim =
		"In private anonymous memory without large folios, minflt rises by one when an untouched page is read, by one when a page is first written, and not at later accesses while the page stays mapped",
	.because = "mm_account_fault() adds one per finished fault, whether the fault mapped the "
		   "zero page, one page, or many pages (fault-around). So minflt counts faults, "
		   "not pages.",
	.said_by = SAID_BY("proc_pid_stat(5), minflt"),
	.steps = STEPS(STEP_AS(MAP, "map", step_map, .pages = PAGES, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(PAGES))),
		       STEP_AS(READ_HALF, "read half", step_read, .pages = PAGES / 2,
			       .flags = STEP_UNSETTLED, MOVES(ZERO_READ(PAGES / 2))),
		       STEP_AS(WRITE_ALL, "write all", step_write, .pages = PAGES,
			       .flags = STEP_UNSETTLED,
			       MOVES(ZERO_TO_ANON(PAGES / 2), ANON_WRITE(PAGES / 2))),
		       STEP_AS(WRITE_AGAIN, "write again", step_rewrite, .pages = PAGES,
			       .checks = 1, .flags = STEP_UNSETTLED),
		       STEP_AS(MAP_POPULATED, "MAP_POPULATE", step_map, .pages = PAGES,
			       .mapping = MAP_PRIVATE | MAP_POPULATE, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP_AS(ASK_GETRUSAGE_2, "call getrusage(2)", step_report_rusage,
			       .flags = STEP_UNSETTLED)),
	.moves = METRICS(METRIC_STAT_MINFLT),
	.judge = judge,
};
