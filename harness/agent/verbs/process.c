// SPDX-License-Identifier: MIT
/* Verbs: processes come and go; what page tables remember is cleared. */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A child's write to a hugetlb page that userfaultfd has marked in its parent never ends on 6.1:
 * hugetlb_wp() leaves it to a userfaultfd that the child does not have (FINDINGS 42).
 */
static bool child_would_hang(const struct worker *k)
{
	for (unsigned i = 0; i < ACT_REGIONS; i++)
		if (k->regions[i].hugetlb && k->regions[i].watched)
			return true;
	return false;
}

/* Only the leader has the channels that its children need. */
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

/*
 * What the child had before is its peak for good. The fresh program says that it is there to a
 * file, in which nothing follows: it ends.
 */
static _Noreturn void become_fresh(int file)
{
	dup2(file, CHANNEL_FD);
	execl("/proc/self/exe", "rssck-workload", "--fresh", (char *)NULL);
	_exit(127);
}

static _Noreturn void write_and_become_fresh(const struct worker *k, size_t bytes, int file)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		_exit(127);
	touch_write(k->w, p, bytes / k->page);
	become_fresh(file);
}

/* A child of vfork() has our memory, and writes none of it. */
void verb_exec(struct worker *k, const struct act *a)
{
	enum { BYTES = 8 << 20 };
	struct rusage used = { .ru_maxrss = 0 };
	int file = memfd_create("rssck-fresh", 0), status = 0;
	bool shared = k->verb->value;
	pid_t pid = file < 0 ? -1 : shared ? vfork() : fork();

	(void)a;
	if (!pid && shared)
		become_fresh(file);
	if (!pid)
		write_and_become_fresh(k, BYTES, file);
	act_result(k, pid);
	if (file >= 0)
		close(file);
	if (pid < 0)
		return;
	errno = EAGAIN;
	act_result(k, wait4(pid, &status, 0, &used) == pid && !status ? 0 : -1);
	/* Those two are so far apart that no lag of counters reaches from one to the other. */
	if (!shared)
		act_at_least(k, used.ru_maxrss, BYTES / 1024 / 2);
}
