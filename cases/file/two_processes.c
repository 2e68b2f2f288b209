// SPDX-License-Identifier: MIT
/*
 * Two processes map the same file: each RES counts it in full, each Pss counts half of it, and both
 * smaps show it as shared.
 */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, FD = 0, PARENT = 0, CHILD = 1 };
STEP_SYMBOLS(MAP_AND_READ, THE_CHILD_READS_IT, THE_CHILD_WRITES_HALF);

static void fork_child(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	workload_fork(w, CHILD);
}

static void judge_mapcounts(const struct trial *t, struct judgement *j, unsigned step,
			    unsigned process, unsigned reported_by, int64_t expected)
{
	const struct snapshot *s = trial_snapshot(t, step, process);
	uint64_t start = (uint64_t)trial_reported(t, reported_by, "start");
	int64_t twice = 0;

	for (size_t i = 0; s && i < s->nr_pages; i++)
		if (s->pages[i].address - start < PAGES * (uint64_t)t->host->page_size)
			twice += s->pages[i].mapcount == 2;
	if (s && s->pages && s->pages[0].mapcount >= 0)
		judge_equal(j, step, "frames with kpagecount 2", twice, expected,
			    "two page tables map these frames");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_mapcounts(t, j, THE_CHILD_READS_IT, PARENT, MAP_AND_READ, PAGES);
	judge_mapcounts(t, j, THE_CHILD_READS_IT, CHILD, THE_CHILD_READS_IT, PAGES);
	judge_mapcounts(t, j, THE_CHILD_WRITES_HALF, PARENT, MAP_AND_READ, PAGES - HALF);
}

CASE(file_two_processes) {
	.claim = "If two processes map a file, each RES counts it in full and each Pss counts "
		 "half of it. When one process copies a page, the page becomes private to the "
		 "other process",
	.because = "The page cache has each page once, with a mapcount of 2. Whether the "
		   "mappings are private or shared does not matter.",
	.said_by = SAID_BY("proc_pid_smaps(5), Pss", "ELC: USS and PSS"),
	.processes = 1,
	.flags = CASE_PAGES,
	.steps = STEPS(STEP("fork", fork_child),
		       STEP_AS(MAP_AND_READ, "map and read", step_map_again, .pages = PAGES,
			       .mapping = MAP_PRIVATE, .read = PAGES, .report = "start",
			       MOVES(VIRT_DATA(PAGES), FILE_READ(PAGES))),
		       STEP_AS(THE_CHILD_READS_IT, "the child reads the file", step_map_again,
			       .pages = PAGES, .mapping = MAP_PRIVATE, .read = PAGES,
			       .report = "start", .process = CHILD,
			       MOVES(VIRT_DATA(PAGES, .process = CHILD),
				     SHARED_WITH(CHILD, FILE_READ, PAGES))),
		       STEP_AS(THE_CHILD_WRITES_HALF, "the child writes half", step_write,
			       .pages = HALF, .process = CHILD,
			       MOVES(FILE_READ(-HALF, .sharers = 2, .process = CHILD),
				     ANON_WRITE(HALF, .process = CHILD),
				     RESHARED(FILE_READ, HALF, 2, 1))),
		       STEP("the child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(FILE_READ, PAGES - HALF, 2, 1)))),
	.judge = judge,
};
