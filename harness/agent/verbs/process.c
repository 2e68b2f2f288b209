// SPDX-License-Identifier: MIT
/* Verbs: processes come and go; what page tables remember is cleared. */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Only the leader has the channels that its children need. */
void verb_fork(struct worker *k, const struct act *a)
{
	errno = EEXIST;
	if (a->process || !a->channel || k->w->private->pid[a->channel] ||
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

void verb_clear_refs(struct worker *k, const struct act *a)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	char what = (char)('0' + k->verb->value);

	(void)a;
	act_result(k, fd);
	if (fd < 0)
		return;
	act_result(k, write(fd, &what, 1));
	close(fd);
}
