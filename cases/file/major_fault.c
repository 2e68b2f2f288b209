// SPDX-License-Identifier: MIT
/* majflt counts faults that must read the page; it does not count faults on cached pages. */
#include <rssck/case.h>

enum { PAGES = 48, FIRST = 0, SECOND = 1 };
STEP_SYMBOLS(MAP, READ, READ_THE_OTHER);

/* Without read-ahead each page takes a fault, unless the file system reads larger blocks. */
static void *map_file(struct workload *w)
{
	void *p = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE, w->fd[0]);

	madvise(p, PAGES * w->page_size, MADV_RANDOM);
	return p;
}

static void map(struct workload *w)
{
	w->fd[0] = workload_file(w, PAGES);
	w->slot[FIRST] = map_file(w);
	w->slot[SECOND] = map_file(w);
	workload_report(w, "at once", (int64_t)workload_cached_at_once(w));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t at_once = trial_reported(t, MAP, "at once");

	judge_moved_since(t, j, MAP, READ, METRIC_STAT_MAJFLT, (PAGES + at_once - 1) / at_once,
			  "a fault on a page outside the page cache is a major fault");
	judge_equal(j, READ_THE_OTHER, "stat.majflt",
		    trial_moved(t, READ, READ_THE_OTHER, 0, METRIC_STAT_MAJFLT), 0,
		    "a fault on a cached page is a minor fault");
}

CASE(file_major_fault) {
	.claim =
		"With MADV_RANDOM, reading a mapped file raises majflt by one for each page (or larger block) that is not in the page cache; reading the cached pages through another mapping does not raise majflt",
	.because = "filemap_fault() returns VM_FAULT_MAJOR if it must read the page, even a "
		   "hole, which needs no disk access. mm_account_fault() counts the fault once, "
		   "although it is retried. A file system with larger blocks reads several pages "
		   "at a time.",
	.said_by = SAID_BY("proc_pid_stat(5), majflt"),
	.steps = STEPS(STEP_AS(MAP, "map", map, MOVES(VIRT_OTHER(2 * PAGES))),
		       STEP_AS(READ, "read", step_read, .slot = FIRST, .pages = PAGES,
			       MOVES(FILE_READ(PAGES))),
		       STEP_AS(READ_THE_OTHER, "read the second mapping", step_read, .slot = SECOND,
			       .pages = PAGES,
			       MOVES(FILE_READ(-PAGES), FILE_READ(2 * PAGES, .sharers = 2)))),
	.moves = METRICS(METRIC_STAT_MAJFLT),
	.judge = judge,
};
