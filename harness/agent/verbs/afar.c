// SPDX-License-Identifier: MIT
/*
 * Implements verbs by which the kernel writes into a process's pages for this process or for
 * another.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

/* pread(2) writes like a store, but returns EFAULT where a store would raise a signal. */
void verb_pread(struct worker *k, const struct act *a)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char *at = act_address(k, a);

	act_result(k, fd);
	for (uint32_t i = 0; i < a->pages && !k->outcome.error; i++) {
		if (!act_touches(a, i) || pread(fd, at + i * k->page, 1, 0) == 1)
			continue;
		k->outcome.faulted++;
		if (errno != EFAULT)
			act_result(k, -1);
	}
	if (fd >= 0)
		close(fd);
}

/* Writes like a debugger (FOLL_FORCE): even to read-only memory, if the kernel permits it. */
void verb_mem_write(struct worker *k, const struct act *a)
{
	int fd = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
	uintptr_t at = (uintptr_t)act_address(k, a);

	act_result(k, fd);
	for (uint32_t i = 0; i < a->pages && fd >= 0; i++)
		if (pwrite(fd, "m", 1, (off_t)(at + i * k->page)) < 0)
			continue; /* not an error: the ledger predicts which pages can be written */
	if (fd >= 0)
		close(fd);
}

/* The other process has its regions at the same addresses as this process. */
void verb_process_write(struct worker *k, const struct act *a)
{
	pid_t pid = k->w->private->pid[a->channel];
	char byte = 'w';

	errno = ESRCH;
	act_result(k, pid ? 0 : -1);
	for (uint32_t i = 0; i < a->pages && !k->outcome.error; i++) {
		struct iovec from = { &byte, 1 }, to = { act_address(k, a) + i * k->page, 1 };

		if (process_vm_writev(pid, &from, 1, &to, 1, 0) < 0 && errno != EFAULT)
			act_result(k, -1);
	}
}
