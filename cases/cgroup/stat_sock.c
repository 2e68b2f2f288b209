// SPDX-License-Identifier: MIT
/* sock in memory.stat counts the memory of unread data in sockets. */
#include "stat.h"
#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <sched.h>
#include <sys/socket.h>

#ifndef SO_MEMINFO
#define SO_MEMINFO 55
#endif

/* Sends at most TIMES the data that must be queued, because a full socket drops datagrams. */
enum { DATAGRAM = 32 << 10, ROOM = 64 << 20, TIMES = 2 };

/*
 * Enters a new network namespace and brings up its loopback device. A kernel without network
 * namespaces has one loopback device, which is then used. Returns 0 or -errno.
 */
static int64_t open_network(void)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd;

	if (unshare(CLONE_NEWNET) && errno != EINVAL)
		return -errno;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &r))
		return -errno;
	return close(fd);
}

/*
 * Returns the bytes that a socket's queue is charged for, a multiple of the page size: the unread
 * datagrams plus the unused rest of their pages. Returns -errno on failure.
 */
static int64_t bytes_of(int fd)
{
	uint32_t of[SK_MEMINFO_VARS] = { 0 };
	socklen_t size = sizeof(of);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, of, &size))
		return -errno;
	return (int64_t)of[SK_MEMINFO_RMEM_ALLOC] + of[SK_MEMINFO_FWD_ALLOC];
}

/* When sendto(2) returns, the datagram is in the receiver's queue. */
static int64_t send_all(const struct workload *w)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int64_t page = (int64_t)w->page_size, error = open_network(), bytes = 0;
	socklen_t size = sizeof(at);
	int to, from, room = ROOM;

	if (error)
		return error;
	to = socket(AF_INET, SOCK_DGRAM, 0);
	from = socket(AF_INET, SOCK_DGRAM, 0);
	if (to < 0 || from < 0 || setsockopt(to, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
	    bind(to, (void *)&at, size) || getsockname(to, (void *)&at, &size))
		return -errno;
	for (int64_t left = TIMES * STAT_PAGES * page; bytes < STAT_PAGES * page;
	     left -= DATAGRAM) {
		if (left < 0)
			return -ENOBUFS;
		if (sendto(from, workload_buffer, DATAGRAM, 0, (void *)&at, size) < 0)
			return -errno;
		bytes = bytes_of(to);
		if (bytes < 0)
			return bytes;
	}
	return bytes / page;
}

static const struct stat_act sent = {
	.field = "sock",
	.act = send_all,
	.uncharged = "nosocket",
	.needs = "a network namespace with a loopback device",
	/* A new network namespace allocates counters for each CPU. */
	.free = " slab kernel percpu ",
};

STAT_CASE(
	cgroup_stat_sock, sent,
	.claim =
		"sock in memory.stat rises by the pages that are charged to a socket of the cgroup for unread datagrams (SO_MEMINFO)",
	.because =
		"__sk_mem_raise_allocated() charges a queue's memory, in whole pages, to the "
		"cgroup whose process created the socket. The cgroup counts it as MEMCG_SOCK.", );
