// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "run.h"
#include <errno.h>
#include <poll.h>
#include <rssck/source.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	TICK_MS = 100,
	BUSY_MS = 2000,     /* limit of CPU time for one act */
	BLOCKED_MS = 30000, /* limit of elapsed time for one act, whatever the act waits for */
	KILLED_MS = 10000,
	/*
	 * Limits grow with the number of CPUs: an act may wait for each (lru_add_drain_all(), RCU).
	 */
	BUSY_EACH_MS = 250,
	BLOCKED_EACH_MS = 2000,
	KILLED_EACH_MS = 500,
};

static int64_t limit_ms(int64_t ms, int64_t each_ms)
{
	return ms + each_ms * sysconf(_SC_NPROCESSORS_ONLN);
}

/* Returns the CPU time of a process in ms: fields 14 and 15 of stat. */
static int64_t cpu_ms(pid_t pid)
{
	struct text t = { .data = NULL };
	unsigned long long user = 0, system = 0;
	const char *p = NULL;

	if (text_read(&t, pid, "stat") == 0)
		p = strrchr(t.data, ')');
	if (!p || sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user,
			 &system) != 2)
		user = system = 0;
	text_free(&t);
	return (int64_t)(user + system) * 1000 / sysconf(_SC_CLK_TCK);
}

struct progress {
	uint32_t at, rounds;
	int64_t since, cpu;
};

static void begin(struct progress *p, const struct session *s, const struct side *side)
{
	*p = (struct progress) { side->at, side->rounds, now_ms(), cpu_ms(s->leader) };
	if (side->child)
		p->cpu += cpu_ms(side->child);
}

static bool hangs(struct progress *p, const struct session *s, const struct side *side)
{
	struct progress now;

	begin(&now, s, side);
	if (now.at != p->at || now.rounds != p->rounds) {
		*p = now;
		return false;
	}
	return now.cpu - p->cpu >= limit_ms(BUSY_MS, BUSY_EACH_MS) ||
	       now.since - p->since >= limit_ms(BLOCKED_MS, BLOCKED_EACH_MS);
}

int worker_await(struct session *s, const struct side *side, const volatile bool *stop)
{
	struct pollfd channel = { .fd = s->channel[0], .events = POLLIN };
	struct progress p = { .since = 0 };
	struct reply reply;
	int n;

	while ((n = poll(&channel, 1, TICK_MS)) <= 0) {
		if (n < 0 && errno != EINTR)
			return -1;
		if (stop && *stop)
			return 1;
		if (!p.since)
			begin(&p, s, side);
		else if (hangs(&p, s, side))
			return 1;
	}
	if (session_receive(s, 0, &reply) < 0)
		return -1;
	if (reply.kind == REPLY_DONE)
		return 0;
	snprintf(s->why, sizeof(s->why), "%.*s", (int)sizeof(s->why) - 1, reply.text);
	return -1;
}

void worker_end(struct session *s)
{
	int64_t until = now_ms() + limit_ms(KILLED_MS, KILLED_EACH_MS);
	siginfo_t info = { 0 };

	kill(-s->leader, SIGKILL);
	kill(s->leader, SIGKILL);
	while (waitid(P_PID, (id_t)s->leader, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       !info.si_pid && now_ms() < until)
		nanosleep(&(struct timespec) { .tv_nsec = 200000 }, NULL);
	/* Give up on a process that no signal can end. */
	if (!info.si_pid)
		s->leader = 0;
	session_end(s);
}
