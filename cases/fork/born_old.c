// SPDX-License-Identifier: MIT
/*
 * A child's Referenced of anonymous memory starts at 0: it has not accessed the pages that it
 * inherits. The parent's Referenced does not change.
 */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, PARENT = 0, CHILD = 1 };
STEP_SYMBOLS(TOUCH, FORK);

/*
 * clear_refs clears the accessed bits. The mprotect() calls flush the TLB, so that the reads set
 * the bits again.
 */
static void map_and_touch(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	w->slot[REGION] = workload_written(w, PAGES);
	workload_clear_refs(w, '1');
	workload_protect(w, w->slot[REGION], bytes, PROT_READ);
	workload_protect(w, w->slot[REGION], bytes, PROT_READ | PROT_WRITE);
	touch_read(w, w->slot[REGION], PAGES);
	workload_report(w, "start", (int64_t)(uintptr_t)w->slot[REGION]);
}

static int64_t referenced(const struct trial *t, unsigned process)
{
	return trial_mapping_pages(t, FORK, process, TOUCH, "start", METRIC_SMAPS_REFERENCED);
}

/*
 * Returns how many of the child's frames are idle; -1 if page flags cannot be read. The idle flag
 * shows which frames DAMON sampled: DAMON clears the accessed bits of a page's entries, marks the
 * frame as young if one was set, and marks it as idle (mm/damon/ops-common.c). smaps counts a young
 * frame as Referenced in every mapping. Since 6.17 damon_stat samples pages where it is built in
 * and enabled.
 */
static int64_t sampled(const struct trial *t)
{
	const struct mapping *m = trial_mapping(t, FORK, CHILD, TOUCH, "start");

	return m && m->frames_read ? m->frames[METRIC_FRAMES_IDLE - METRIC_FRAMES_FIRST] : -1;
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char rule[] = "Referenced = the pages that the process itself has accessed";
	int64_t child = referenced(t, CHILD), by_others = sampled(t);

	judge_equal(j, FORK, "Referenced of the parent", referenced(t, PARENT), PAGES, rule);
	if (child > 0 && child < PAGES && by_others < 0)
		return judge_skip(j, "permission to read page flags (root), which show the "
				     "pages that DAMON sampled");
	judge_equal(j, FORK, "Referenced of the child", child, child <= by_others ? child : 0,
		    rule);
}

CASE(fork_born_old) {
	.claim = "A new child has accessed none of the anonymous memory that it inherits, so the "
		 "memory's Referenced is 0, unless DAMON, page_idle or reclaim marks the pages as "
		 "accessed",
	.because = "copy_present_ptes() copies each entry without the accessed bit "
		   "(pte_mkold()). The parent's entries keep the bit.",
	.said_by = SAID_BY("fork(2)", "proc_pid_smaps(5), Referenced"),
	.processes = 1,
	.steps = STEPS(STEP_AS(TOUCH, "touch", map_and_touch,
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP_AS(FORK, "fork", step_fork, FORKED(CHILD, ANON_WRITE, PAGES))),
	.judge = judge,
};
