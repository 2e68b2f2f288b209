// SPDX-License-Identifier: MIT
/* Restores settings of the machine, even if the workload fails or is killed. */
#include "agent.h"
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Waits until the workload writes to the pipe or all its processes have closed it, and then calls
 * undo(). The guard gets a session of its own, because rssck kills the workload's process group.
 */
static _Noreturn void be_guard(int end, void (*undo)(void))
{
	char byte;

	setsid();
	while (read(end, &byte, 1) < 0 && errno == EINTR)
		;
	undo();
	_exit(0);
}

struct workload_guard workload_guard_begin(struct workload *w, void (*undo)(void))
{
	struct workload_guard g;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0 || (g.pid = fork()) < 0)
		workload_die(w, "a process that restores settings: %m");
	if (!g.pid) {
		close(ends[1]);
		be_guard(ends[0], undo);
	}
	close(ends[0]);
	g.end = ends[1];
	return g;
}

/* Closing the pipe is not enough, because children of the workload may have it open. */
void workload_guard_end(struct workload *w, const struct workload_guard *g)
{
	if (write(g->end, "", 1) != 1 || waitpid(g->pid, NULL, 0) != g->pid)
		workload_die(w, "the process that restores settings ended early: %m");
	close(g->end);
}
