// SPDX-License-Identifier: MIT
/* Verbs: processes come and go; what page tables remember is cleared. */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

static int64_t number_of(pid_t pid, const char *file, const char *field)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	return workload_number(path, field, -1);
}

/* In kB. The second number there. */
static int64_t resident_of(const struct worker *k, pid_t pid)
{
	char path[40], text[128], *end = text;
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	strtoll(text, &end, 10);
	return strtoll(end, NULL, 10) * (int64_t)(k->page / 1024);
}

/* The fresh program waits for as long as the other end is open. */
static _Noreturn void become_fresh(const int pair[2])
{
	dup2(pair[1], CHANNEL_FD);
	execl("/proc/self/exe", "rssck-workload", "--fresh", (char *)NULL);
	_exit(127);
}

static _Noreturn void write_and_become_fresh(const struct worker *k, size_t bytes,
					     const int pair[2])
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		_exit(127);
	touch_write(k->w, p, bytes / k->page);
	become_fresh(pair);
}

/* Of the fresh program: how its number, in kB, stands to its Rss. */
static void tell_fresh(struct worker *k, pid_t pid, int64_t kb)
{
	int64_t rss = number_of(pid, "smaps_rollup", "Rss:");

	k->outcome.told = (kb > rss) - (kb < rss);
}

/* It is there when it has said so. Its end, and what it has used. */
static void end_fresh(struct worker *k, pid_t pid, const int pair[2], bool of_statm,
		      struct rusage *used)
{
	int status = 0;
	char byte;

	close(pair[1]);
	if (read(pair[0], &byte, 1) == 1)
		tell_fresh(k, pid,
			   of_statm ? resident_of(k, pid) : number_of(pid, "status", "VmRSS:"));
	close(pair[0]);
	errno = EAGAIN;
	act_result(k, wait4(pid, &status, 0, used) == pid && !status ? 0 : -1);
}

/* The two ends that a fresh program and we shall have. False: there are none. */
static bool make_ends(struct worker *k, int pair[2])
{
	act_result(k, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
	return !k->outcome.error;
}

/* A child of vfork() has our memory, and writes none of it. */
void verb_vfork(struct worker *k, const struct act *a)
{
	struct rusage used;
	int pair[2];
	pid_t pid;

	(void)a;
	if (!make_ends(k, pair))
		return;
	pid = vfork();
	if (!pid)
		become_fresh(pair);
	act_result(k, pid);
	if (pid > 0)
		end_fresh(k, pid, pair, true, &used);
}

/* What the child had before is its peak for good. */
void verb_exec(struct worker *k, const struct act *a)
{
	enum { BYTES = 8 << 20 };
	struct rusage used = { .ru_maxrss = 0 };
	int pair[2];
	pid_t pid;

	(void)a;
	if (!make_ends(k, pair))
		return;
	pid = fork();
	if (!pid)
		write_and_become_fresh(k, BYTES, pair);
	act_result(k, pid);
	if (pid < 0)
		return;
	end_fresh(k, pid, pair, false, &used);
	/* Those two are so far apart that no lag of counters reaches from one to the other. */
	act_at_least(k, used.ru_maxrss, BYTES / 1024 / 2);
}
