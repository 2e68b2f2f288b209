// SPDX-License-Identifier: MIT
/*
 * A grandchild shares pages with its grandparent even after the process between them has ended,
 * because only page tables decide what is shared.
 */
#include <rssck/case.h>

enum { PAGES = 240, REGION = 0, CHILD = 1, PIPE = 0, READY = 2 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	/*
	 * The workload, as subreaper, becomes the grandchild's parent. The grandchild ends when the
	 * pipe is closed.
	 */
	workload_must(w, prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "prctl");
	workload_must(w, pipe(&w->fd[PIPE]), "pipe");
	workload_must(w, pipe(&w->fd[READY]), "pipe");
}

static void fork_grandchild(struct workload *w)
{
	char byte = 0;
	pid_t pid = fork();

	workload_must(w, pid, "fork");
	close(w->fd[PIPE + 1]);
	if (pid == 0) {
		/*
		 * Descriptors 3 and 4 are the child's channels. The engine sees them close when the
		 * child ends, so the grandchild must not keep them open.
		 */
		close(3);
		close(4);
		if (write(w->fd[READY + 1], &byte, 1) == 1)
			while (read(w->fd[PIPE], &byte, 1) < 0 && errno == EINTR)
				;
		_exit(0);
	}
	if (read(w->fd[READY], &byte, 1) != 1)
		workload_die(w, "the grandchild did not start");
}

static void end_grandchild(struct workload *w)
{
	close(w->fd[PIPE + 1]);
	while (wait(NULL) < 0 && errno == EINTR)
		;
	close(w->fd[PIPE]);
	close(w->fd[READY]);
	close(w->fd[READY + 1]);
}

CASE(fork_orphan) {
	.claim = "A grandchild shares pages with its grandparent, and still does after the "
		 "process between them has ended",
	.because = "A page's mapcount is the number of page table entries that map it. How the "
		   "processes are related does not matter.",
	.said_by = SAID_BY("ELC: USS and PSS"),
	.processes = 1,
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("fork", step_fork, FORKED(CHILD, ANON_WRITE, PAGES)),
		       STEP("child forks", fork_grandchild, .process = CHILD,
			    MOVES(RESHARED(ANON_WRITE, PAGES, 2, 3),
				  RESHARED(ANON_WRITE, PAGES, 2, 3, .process = CHILD))),
		       STEP("child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(ANON_WRITE, PAGES, 3, 2))),
		       STEP("grandchild exits", end_grandchild,
			    MOVES(RESHARED(ANON_WRITE, PAGES, 2, 1)))),
};
