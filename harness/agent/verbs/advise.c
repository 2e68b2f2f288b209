// SPDX-License-Identifier: MIT
/* Implements verbs with madvise(2), on the process's own memory and on another process's. */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * madvise_guard_install() repeats until the range is empty, but shared memory protected by
 * userfaultfd keeps markers there: the call never returns (seen on 6.18.44).
 */
static bool would_never_end(const struct worker *k, const struct act *a)
{
	return k->verb->value == MADV_GUARD_INSTALL && k->regions[a->region].watched;
}

void verb_madvise(struct worker *k, const struct act *a)
{
	int done = -1;

	errno = EBUSY;
	if (!would_never_end(k, a))
		done = madvise(act_address(k, a), act_bytes(k, a), k->verb->value);

	act_result(k, done);
	if (k->verb->effect == EFFECT_HUGE && !done)
		k->regions[a->region].huge = true;
}

/* Processes are forks of each other, so a region has the same address in all of them. */
void verb_process_madvise(struct worker *k, const struct act *a)
{
	struct iovec range = { act_address(k, a), act_bytes(k, a) };
	pid_t pid = k->w->private->pid[a->channel];
	int fd = pid ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;

	if (!pid)
		errno = ESRCH;
	act_result(k, fd);
	if (fd < 0)
		return;
	act_result(k, syscall(SYS_process_madvise, fd, &range, 1, k->verb->value, 0));
	close(fd);
}
