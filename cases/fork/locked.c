// SPDX-License-Identifier: MIT
/*
 * A child inherits no memory lock: its VmLck is 0. The parent's Locked of anonymous memory falls,
 * because the child shares the pages.
 */
#include <rssck/case.h>

/* PAGES pages of 4 KiB fit into the kernel's default RLIMIT_MEMLOCK (64 KiB up to 5.15). */
enum { PAGES = 8, CHILD = 1 };
STEP_SYMBOLS(FORK);

static void judge(const struct trial *t, struct judgement *j)
{
	judge_equal(j, FORK, "status.VmLck of the child",
		    trial_pages(t, FORK, CHILD, METRIC_STATUS_VMLCK), 0,
		    "a child inherits no memory lock");
}

CASE(fork_locked) {
	.claim = "A child inherits no memory lock. The parent's Locked of anonymous memory falls "
		 "to half, because the child shares the pages",
	.because = "dup_mm() sets locked_vm to 0, and the copied mappings lose VM_LOCKED. Locked "
		   "is proportional like Pss: it counts half of a page that two processes share, "
		   "even if only one of them has locked it.",
	.said_by = SAID_BY("mlock(2)", "proc_pid_smaps(5), Locked"),
	.processes = 1,
	.steps = STEPS(STEP("map and lock", step_map_locked, .pages = PAGES,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		       STEP_AS(FORK, "fork", step_fork, .child = CHILD,
			       MOVES(RESHARED(ANON_LOCKED, PAGES, 1, 2),
				     VIRT_DATA(PAGES, .process = CHILD),
				     ANON_WRITE(PAGES, .sharers = 2, .process = CHILD))),
		       STEP("child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(ANON_LOCKED, PAGES, 2, 1)))),
	.judge = judge,
};
