// SPDX-License-Identifier: MIT
/* Implements verbs that start and end processes, and that clear page table bits. */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/*
 * On 6.1 a child's write to a hugetlb page that userfaultfd protects in its parent never ends:
 * hugetlb_wp() leaves the fault to a userfaultfd that the child does not have (FINDINGS 42).
 */
static bool child_would_hang(const struct worker *k)
{
	for (unsigned i = 0; i < ACT_REGIONS; i++)
		if (k->regions[i].hugetlb && k->regions[i].watched)
			return true;
	return false;
}

/* Only the leader can fork, because only it has the channels that children need. */
void verb_fork(struct worker *k, const struct act *a)
{
	bool hang = child_would_hang(k);

	errno = hang ? EBUSY : EEXIST;
	if (hang || a->process || !a->channel || k->w->private->pid[a->channel] ||
	    k->w->private->channel_closed[a->channel])
		act_result(k, -1);
	else
		workload_fork(k->w, a->channel);
}

void verb_exit(struct worker *k, const struct act *a)
{
	errno = ESRCH;
	if (a->process || !a->channel || !k->w->private->pid[a->channel])
		act_result(k, -1);
	else
		workload_reap(k->w, a->channel);
}

int act_clear_refs(char what)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, &what, 1);

	if (fd >= 0)
		close(fd);
	return n < 0 ? -1 : 0;
}

void verb_clear_refs(struct worker *k, const struct act *a)
{
	(void)a;
	act_result(k, act_clear_refs((char)('0' + k->verb->value)));
}
