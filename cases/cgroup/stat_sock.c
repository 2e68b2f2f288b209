// SPDX-License-Identifier: MIT
/* memory.stat's sock counts buffers of TCP sockets. */
#include "stat.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* A byte that waits may take three: the sender's copy is kept until it is acknowledged. */
enum { TIMES = 3, TRIES = 50, PAUSE_US = 1000 };
STEP_SYMBOLS(IN_A_CGROUP);

/* A network of our own, with nothing but its loopback. */
static int64_t open_network(void)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd;

	if (unshare(CLONE_NEWNET))
		return errno;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &r))
		return errno;
	return close(fd);
}

static int connected(int listening, const struct sockaddr_in *at)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (const void *)at, sizeof(*at)) ||
	    accept(listening, NULL, NULL) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK))
		return -1;
	return fd;
}

/* Nobody reads. */
static int64_t send_all(const struct workload *w)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int64_t left = STAT_PAGES * (int64_t)w->page_size, error = open_network();
	socklen_t size = sizeof(at);
	int listening;

	if (error)
		return error;
	listening = socket(AF_INET, SOCK_STREAM, 0);
	if (listening < 0 || bind(listening, (void *)&at, size) || listen(listening, TRIES) ||
	    getsockname(listening, (void *)&at, &size))
		return errno;
	while (left > 0) {
		int fd = connected(listening, &at);

		if (fd < 0)
			return errno;
		for (int tries = 0; left > 0 && tries < TRIES; tries++) {
			ssize_t n = write(fd, workload_buffer, WORKLOAD_BUFFER);

			left -= n > 0 ? n : 0;
			tries = n > 0 ? 0 : tries;
			if (n < 0)
				usleep(PAUSE_US);
		}
	}
	return 0;
}

static void pay(struct workload *w)
{
	stat_pay(w, "sock", send_all, "a network of its own with a loopback");
}

static void judge(const struct trial *t, struct judgement *j)
{
	stat_judge(t, j, IN_A_CGROUP, "sock", STAT_PAGES, TIMES * STAT_PAGES, "slab");
}

CASE(cgroup_stat_sock) {
	.claim =
		"memory.stat's sock rises by what is sent to sockets of a cgroup and not read, or some more",
	.because =
		"A TCP socket charges the memory of its queues to the cgroup that made it, in whole pages, "
		"and counts them there as MEMCG_SOCK.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.judge = judge,
};
