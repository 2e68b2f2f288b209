// SPDX-License-Identifier: MIT
/* Starts, drives and ends a workload. */
#include "session.h"
#include "base/cpus.h"
#include "base/process/ended.h"
#include "base/process/inherited.h"
#include "base/process/limits.h"
#include "emulated.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* An error between vfork and exec, which the child writes into rssck's memory. */
struct start_error {
	const char *what; /* what failed; NULL: nothing */
	int number;       /* errno */
};

static _Noreturn void give_up(volatile struct start_error *error, const char *what)
{
	error->number = errno;
	error->what = what;
	_exit(127);
}

/*
 * Gives each channel its number. The channels are first duplicated to high numbers, because one may
 * already have the number of another.
 */
static void place_channels(const int *theirs, unsigned n, volatile struct start_error *error)
{
	int high[WORKLOAD_PROCESSES];

	for (unsigned i = 0; i < n; i++) {
		high[i] = fcntl(theirs[i], F_DUPFD_CLOEXEC, CHANNEL_FD + (int)n);
		if (high[i] < 0)
			give_up(error, "fcntl(2) of the workload's channels");
	}
	for (unsigned i = 0; i < n; i++)
		if (dup2(high[i], CHANNEL_FD + (int)i) < 0)
			give_up(error, "dup2(2) of the workload's channels");
}

/*
 * Makes the environment of the workload. It keeps only TMPDIR and the variables of sanitizers,
 * coverage and rssck itself. Others, such as GLIBC_TUNABLES, MALLOC_... and LD_PRELOAD, may change
 * how memory is allocated.
 */
static void own_environment(char **own, size_t room)
{
	static const char *const kept[] = { "ASAN_",         "UBSAN_", "LSAN_",  "TSAN_",  "MSAN_",
					    "LLVM_PROFILE_", "GCOV_",  "RSSCK_", "TMPDIR=" };
	size_t nr = 0;

	for (char **variable = environ; *variable && nr < room - 1; variable++)
		for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
			if (!strncmp(*variable, kept[i], strlen(kept[i])) && nr < room - 1)
				own[nr++] = *variable;
	own[nr] = NULL;
}

/* Makes the OOM killer choose the workload rather than rssck, so that rssck can report it. */
static void be_killed_first(void)
{
	enum { LIKELY = 500 };
	int fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
	char now[16] = "";

	if (fd < 0)
		return;
	/* If the file cannot be written, the kernel may kill rssck instead. */
	if (pread(fd, now, sizeof(now) - 1, 0) > 0 && atoi(now) < LIKELY)
		dprintf(fd, "%d", LIKELY);
	close(fd);
}

/*
 * Runs in the child between vfork and exec. It sets the CPUs first, so that exec itself runs on the
 * case's CPUs.
 */
static _Noreturn void become_workload(const struct engine *e, const char *id, const int *theirs,
				      unsigned n, const int *cpus, unsigned nr_cpus, pid_t observer,
				      char *const *own, volatile struct start_error *error)
{
	struct cpu_mask set = { 0 };

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != observer)
		_exit(127);
	for (unsigned i = 0; i < nr_cpus; i++)
		cpus_add(&set, cpus[i]);
	cpus_keep_to(&set);
	inherited_forget();
	be_killed_first();
	place_channels(theirs, n, error);
	execve(e->workload, (char *[]) { "rssck-workload", (char *)id, NULL }, own);
	give_up(error, e->workload);
}

static void fail(struct session *s, const char *what)
{
	siginfo_t info = { 0 };
	char how[128];

	/* The channel closes a moment before the process can be reaped. */
	for (int i = 0; i < 100 && s->leader > 0; i++) {
		if (waitid(P_PID, (id_t)s->leader, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
		    info.si_pid)
			break;
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
	}
	if (info.si_pid && info.si_code != CLD_EXITED)
		snprintf(s->why, sizeof(s->why), "the workload was %s",
			 ended_by(info.si_status, how, sizeof(how)));
	else if (info.si_pid)
		snprintf(s->why, sizeof(s->why), "the workload ended with status %d",
			 info.si_status);
	else
		snprintf(s->why, sizeof(s->why), "%s", what);
}

void session_lost(struct session *s, unsigned process, const char *what)
{
	int sig = s->pid[process] > 0 ? ended_signal(s->pid[process]) : 0;
	char how[128];

	if (sig)
		snprintf(s->why, sizeof(s->why), "process %u of the workload was %s", process,
			 ended_by(sig, how, sizeof(how)));
	else
		snprintf(s->why, sizeof(s->why), "process %u of the workload %s", process, what);
}

static int await(struct session *s, unsigned process, struct reply *r)
{
	struct pollfd p = { .fd = s->channel[process], .events = POLLIN };
	int n;

	do
		n = poll(&p, 1, (int)s->limit_s * 1000);
	while (n < 0 && errno == EINTR);
	if (n == 0) {
		snprintf(s->why, sizeof(s->why), "the workload hung: no reply within %u s",
			 s->limit_s);
		return -1;
	}
	if (recv(p.fd, r, sizeof(*r), 0) == sizeof(*r))
		return 0;
	if (process)
		session_lost(s, process, "died");
	else
		fail(s, "the workload closed its channel");
	return -1;
}

int session_send(struct session *s, unsigned process, const struct request *q)
{
	if (s->steps)
		++*s->steps;
	if (s->channel[process] >= 0 && send(s->channel[process], q, sizeof(*q), MSG_NOSIGNAL) >= 0)
		return 0;
	if (process)
		session_lost(s, process, "is gone");
	else
		fail(s, "the workload has ended");
	return -1;
}

int session_receive(struct session *s, unsigned process, struct reply *r)
{
	if (await(s, process, r) < 0)
		return -1;
	if (process == 0) {
		memcpy(s->pid, r->pid, sizeof(s->pid));
		s->threads = r->nr_threads;
	}
	return 0;
}

int session_ask(struct session *s, unsigned process, const struct request *q, struct reply *r)
{
	return session_send(s, process, q) < 0 ? -1 : session_receive(s, process, r);
}

static void refuse(struct session *s, const char *what, int error)
{
	char limit[128];

	s->limited = *limit_behind(error, limit, sizeof(limit));
	snprintf(s->why, sizeof(s->why), "%.60s: %s%s%s", what, strerror(error),
		 s->limited ? "; " : "", limit);
}

static void greet(const struct engine *e, const int *cpus, unsigned nr_cpus, struct hello *h)
{
	memset(h, 0, sizeof(*h));
	snprintf(h->directory, sizeof(h->directory), "%s", e->directory);
	snprintf(h->mark, sizeof(h->mark), "%s", *e->mark ? e->mark : "rssck.0");
	for (unsigned i = 0; i < nr_cpus; i++)
		cpus_add(&h->cpus, cpus[i]);
	for (unsigned i = 0; i < e->host.nr_cpu_list; i++)
		cpus_add(&h->all, e->host.cpu_list[i]);
	h->huge_page_size = (uint64_t)e->host.huge_page_size;
}

static void close_all(const int *fds, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		close(fds[i]);
}

int session_start(struct session *s, const struct engine *e, const struct case_registration *c,
		  const int *cpus, unsigned nr_cpus)
{
	char *own[32], how[128];
	int theirs[WORKLOAD_PROCESSES];
	unsigned n = 1 + c->c->processes;
	volatile struct start_error error = { .what = NULL };
	struct hello hello;
	struct reply reply;
	pid_t observer = getpid();
	char id[64];

	*s = (struct session) { .limit_s = c->c->limit_s ? c->c->limit_s : e->limit_s,
				.steps = e->steps };
	for (; s->processes < n; s->processes++) {
		int pair[2];

		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
			refuse(s, "socketpair", errno);
			close_all(theirs, s->processes);
			return -1;
		}
		s->channel[s->processes] = pair[0];
		theirs[s->processes] = pair[1];
	}
	case_id(c, id, sizeof(id));
	own_environment(own, sizeof(own) / sizeof(*own));
	/* vfork(2) copies no page tables, and causes no copy-on-write later. */
	s->leader = vfork();
	if (s->leader == 0)
		become_workload(e, id, theirs, n, cpus, nr_cpus, observer, own, &error);
	close_all(theirs, n);
	if (s->leader < 0) {
		refuse(s, "fork", errno);
		return -1;
	}
	if (error.what) {
		refuse(s, error.what, error.number);
		return -1;
	}
	greet(e, cpus, nr_cpus, &hello);
	if (send(s->channel[0], &hello, sizeof(hello), MSG_NOSIGNAL) < 0) {
		snprintf(how, sizeof(how), "%s: %s",
			 errno == EPIPE || errno == ECONNRESET ? "the workload did not start"
							       : "sendto(2) to the workload",
			 strerror(errno));
		fail(s, how);
		return -1;
	}
	if (await(s, 0, &reply) < 0)
		return -1;
	if (reply.kind != REPLY_DONE) {
		s->limited = reply.kind == REPLY_SKIP;
		snprintf(s->why, sizeof(s->why), "%.*s", (int)sizeof(s->why) - 1, reply.text);
		return -1;
	}
	if (emulated(s->leader, e->workload, s->why, sizeof(s->why)))
		return -1;
	memcpy(s->pid, reply.pid, sizeof(s->pid));
	s->threads = 1;
	return 0;
}

/*
 * Waits until the channel reads as closed, but not longer than 2 s for each message. A process
 * whose channel is closed has released its mm, because do_exit() drops the mm before the files.
 */
static void await_end(int channel)
{
	struct pollfd p = { .fd = channel, .events = POLLIN };
	char rest[sizeof(struct reply)];
	int n;

	do
		n = poll(&p, 1, 2000);
	while ((n < 0 && errno == EINTR) || (n > 0 && recv(channel, rest, sizeof(rest), 0) > 0));
}

void session_end(struct session *s)
{
	struct rusage usage;

	if (s->leader > 0) {
		kill(-s->leader, SIGKILL);
		kill(s->leader, SIGKILL);
		while (wait4(s->leader, NULL, 0, &usage) < 0 && errno == EINTR)
			;
		s->maxrss_kb = usage.ru_maxrss;
	}
	for (unsigned i = 0; i < s->processes; i++) {
		if (s->channel[i] < 0)
			continue;
		await_end(s->channel[i]);
		close(s->channel[i]);
		s->channel[i] = -1;
	}
	s->leader = 0;
}
