// SPDX-License-Identifier: MIT
/* MADV_DONTFORK: the child has no such mapping; MADV_DOFORK shares it again. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, PARENT = 0, FIRST = 1, SECOND = 2 };

static void advise(struct workload *w, int advice)
{
	if (madvise(w->slot[REGION], PAGES * w->page_size, advice) < 0)
		workload_die(w, "madvise %d: %m", advice);
}

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	advise(w, MADV_DONTFORK);
}

static void fork_first(struct workload *w)
{
	workload_fork(w, FIRST);
}

static void fork_second(struct workload *w)
{
	advise(w, MADV_DOFORK);
	workload_fork(w, SECOND);
}

static void reap_second(struct workload *w)
{
	workload_reap(w, SECOND);
}

CASE(anonymous_dontfork) {
	.claim = "A child does not get its parent's MADV_DONTFORK memory, not even as address "
		 "space",
	.because = "dup_mmap() leaves VM_DONTCOPY mappings out, and subtracts their pages from the "
		   "child's total_vm and from the total of their kind.",
	.said_by = SAID_BY("madvise(2), MADV_DONTFORK"),
	.processes = 2,
	.steps = STEPS(
		STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		STEP("fork", fork_first),
		STEP("MADV_DOFORK, fork", fork_second,
		     MOVES(RESHARED(ANON_WRITE, PAGES, 1, 2), VIRT_DATA(PAGES, .process = SECOND),
			   ANON_WRITE(PAGES, .sharers = 2, .process = SECOND))),
		STEP("second child exits", reap_second, MOVES(RESHARED(ANON_WRITE, PAGES, 2, 1)))),
};
