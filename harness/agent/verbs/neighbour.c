// SPDX-License-Identifier: MIT
/*
 * Implements verbs by which another process changes memory, through /proc/PID/mem or ptrace(2). A
 * region has the same address in both processes.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* Writes like a debugger (FOLL_FORCE): even to read-only memory, if the kernel permits it. */
void verb_mem_write_to(struct worker *k, const struct act *a)
{
	uintptr_t at = (uintptr_t)act_address(k, a);
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)k->w->private->pid[a->channel]);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	act_result(k, fd);
	for (uint32_t i = 0; i < a->pages && fd >= 0; i++)
		if (act_touches(a, i) && pwrite(fd, "m", 1, (off_t)(at + i * k->page)) < 0)
			k->outcome.faulted++;
	if (fd >= 0)
		close(fd);
}

static int seize(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0)
		return -1;
	if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0 && waitpid(pid, &status, __WALL) == pid)
		return 0;
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return -1;
}

void verb_poke(struct worker *k, const struct act *a)
{
	pid_t pid = k->w->private->pid[a->channel];
	char *at = act_address(k, a);

	act_result(k, seize(pid));
	if (k->outcome.error)
		return;
	for (uint32_t i = 0; i < a->pages; i++)
		if (act_touches(a, i) &&
		    ptrace(PTRACE_POKEDATA, pid, at + i * k->page, (void *)0x70) < 0)
			k->outcome.faulted++;
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
}
