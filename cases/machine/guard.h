// SPDX-License-Identifier: MIT
/* Restores settings of the machine, also if the workload fails or is killed. */
#ifndef CASES_MACHINE_GUARD_H
#define CASES_MACHINE_GUARD_H

#include <errno.h>
#include <rssck/case.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct guard {
	pid_t pid;
	int end;
};

/*
 * Forks a process that runs undo() when the workload calls guard_end() or ends in any way. It is in
 * its own session, because rssck kills the workload's process group.
 */
static inline struct guard guard_begin(struct workload *w, void (*undo)(void))
{
	struct guard g = { .pid = -1 };
	int ends[2];
	char byte;

	if (pipe(ends) < 0 || (g.pid = fork()) < 0)
		workload_die(w, "a process that restores settings: %m");
	if (!g.pid) {
		setsid();
		close(ends[1]);
		while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
			;
		undo();
		_exit(0);
	}
	close(ends[0]);
	g.end = ends[1];
	return g;
}

static inline void guard_end(const struct guard *g)
{
	close(g->end);
	waitpid(g->pid, NULL, 0);
}

#endif
