// SPDX-License-Identifier: MIT
/*
 * Pages that a vfork child touches are counted in its parent, because both share one mm until the
 * child calls exec or exits.
 */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0 };

static void wait_for(struct workload *w, pid_t pid)
{
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		workload_die(w, "vfork: %m");
}

static void child_writes(struct workload *w)
{
	pid_t pid = vfork();

	if (pid == 0) {
		touch_write(w, w->slot[REGION], PAGES);
		_exit(0);
	}
	wait_for(w, pid);
}

static void child_drops(struct workload *w)
{
	pid_t pid = vfork();

	if (pid == 0) {
		madvise(w->slot[REGION], HALF * w->page_size, MADV_DONTNEED);
		_exit(0);
	}
	wait_for(w, pid);
}

CASE(fork_vfork) {
	.claim =
		"When a vfork child touches or drops pages of its parent, the parent's RES shows the result after the child has ended, and no page is copied",
	.because = "vfork(2) is clone(2) with CLONE_VM: it makes no mm, copies no page tables "
		   "and raises no mapcount. Pages that the child's task has not yet added to the "
		   "counters are added when the child releases the mm.",
	.said_by = SAID_BY("vfork(2)"),
	.steps = STEPS(STEP("write half", step_map, .pages = PAGES, .written = HALF,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(HALF))),
		       STEP("a vfork child writes all", child_writes,
			    MOVES(ANON_WRITE(PAGES - HALF))),
		       STEP("another one drops half", child_drops, MOVES(ANON_WRITE(-HALF)))),
};
