// SPDX-License-Identifier: MIT
/* A child has not touched the pages it inherits: none is Referenced, all of the parent's are.
 */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, PARENT = 0, CHILD = 1 };
STEP_SYMBOLS(TOUCH, FORK);

/* Clears the page's own accessed bit, and makes the entry anew. mprotect(2) flushes the TLB. */
static void map_and_touch(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	w->slot[REGION] = workload_written(w, PAGES);
	workload_clear_refs(w, '1');
	workload_must(w, mprotect(w->slot[REGION], bytes, PROT_READ), "mprotect");
	workload_must(w, mprotect(w->slot[REGION], bytes, PROT_READ | PROT_WRITE), "mprotect");
	touch_read(w, w->slot[REGION], PAGES);
	workload_report(w, "start", (int64_t)(uintptr_t)w->slot[REGION]);
}

static const struct mapping *region(const struct trial *t, unsigned process)
{
	return trial_mapping(t, FORK, process, TOUCH, "start");
}

static int64_t referenced(const struct trial *t, unsigned process)
{
	const struct mapping *m = region(t, process);

	return m ? mapping_smaps(m, METRIC_SMAPS_REFERENCED) * 1024 / t->host->page_size : -1;
}

/*
 * DAMON samples single pages, from 6.17 on without being asked (damon_stat): it clears the accessed
 * bit of all entries of a page and marks its frame as young and as idle (mm/damon/ops-common.c). A
 * young frame is Referenced in each mapping; that it is idle is visible.
 */
static int64_t sampled(const struct trial *t)
{
	const struct mapping *m = region(t, CHILD);

	return m && m->frames_read ? m->frames[METRIC_FRAMES_IDLE - METRIC_FRAMES_FIRST] : -1;
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char rule[] = "Referenced = the pages that the process itself has touched";
	int64_t child = referenced(t, CHILD), by_others = sampled(t);

	judge_equal(j, FORK, "Referenced of the parent", referenced(t, PARENT), PAGES, rule);
	if (child > 0 && child < PAGES && by_others < 0)
		return judge_skip(j, "the right to see page flags (root), which show what DAMON "
				     "has sampled");
	judge_equal(j, FORK, "Referenced of the child", child, child <= by_others ? child : 0,
		    rule);
}

CASE(fork_born_old) {
	.claim = "A child has touched none of the memory that it inherits: its Referenced starts "
		 "at 0",
	.because = "copy_present_ptes() copies each entry without the accessed bit (pte_mkold()); "
		   "the parent's entries keep theirs.",
	.said_by = SAID_BY("fork(2)", "proc_pid_smaps(5), Referenced"),
	.processes = 1,
	.steps = STEPS(STEP_AS(TOUCH, "touch", map_and_touch,
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP_AS(FORK, "fork", step_fork, .child = CHILD,
			       MOVES(VIRT_DATA(PAGES, .process = CHILD),
				     SHARED_WITH(CHILD, ANON_WRITE, PAGES)))),
	.judge = judge,
};
