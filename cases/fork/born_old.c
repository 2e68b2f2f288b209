// SPDX-License-Identifier: MIT
/* What a child inherits it has not touched yet: none of it is Referenced, all of the parent's is.
 */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, PARENT = 0, CHILD = 1 };

/* The page's own mark is taken, the entry's made anew. mprotect(2) flushes what the CPU still
 * knows. */
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

static void judge_referenced(const struct trial *t, struct judgement *j, unsigned process,
			     const char *what, int64_t expected)
{
	const struct mapping *m = trial_mapping(t, "fork", process, "touch", "start");

	judge_equal(j, "fork", what,
		    m ? mapping_smaps(m, METRIC_SMAPS_REFERENCED) * 1024 / t->host->page_size : -1,
		    expected, "Referenced = the pages that the process itself has touched");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_referenced(t, j, PARENT, "Referenced of the parent", PAGES);
	judge_referenced(t, j, CHILD, "Referenced of the child", 0);
}

CASE(fork_born_old) {
	.claim = "A child has touched nothing of what it inherits: its Referenced starts at 0",
	.because = "copy_present_ptes() copies each entry without the accessed bit (pte_mkold()); "
		   "the parent's entries keep theirs.",
	.said_by = SAID_BY("fork(2)", "proc_pid_smaps(5), Referenced"),
	.processes = 1,
	.steps = STEPS(STEP("touch", map_and_touch, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_DATA(PAGES, .process = CHILD),
				  SHARED_WITH(CHILD, ANON_WRITE, PAGES)))),
	.judge = judge,
};
