// SPDX-License-Identifier: MIT
/* Implements verbs that pin memory for a moment. The pages that pinning faults in stay present. */
#include "base/clock.h"
#include "verbs.h"
#include <errno.h>
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ENTRIES = 4, RINGS_MAX = 64 };

/* pin_user_pages() faults in the pages of a registered buffer for writing. */
void verb_pin(struct worker *k, const struct act *a)
{
	struct iovec buffer = { act_address(k, a), act_bytes(k, a) };
	struct io_uring_params p = { .flags = 0 };
	int fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);

	act_result(k, fd);
	if (fd < 0)
		return;
	act_result(k, syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, &buffer, 1));
	/*
	 * Only the first thread reads VmPin, because stdio would allocate a heap for another
	 * thread.
	 */
	if (gettid() == getpid())
		k->outcome.reported = workload_status_pages(k->w, "VmPin");
	if (!k->outcome.error)
		act_result(k,
			   syscall(SYS_io_uring_register, fd, IORING_UNREGISTER_BUFFERS, NULL, 0));
	close(fd);
}

/*
 * Drops CAP_IPC_LOCK, or restores it if `again` is set. With it, newer kernels do not count pinned
 * pages (FINDINGS 23).
 */
static int lock_privilege(struct __user_cap_data_struct have[2], bool again)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	uint32_t effective;
	long failed;

	if (again)
		return (int)syscall(SYS_capset, &header, have);
	if (syscall(SYS_capget, &header, have) < 0)
		return -1;
	effective = have[0].effective;
	have[0].effective &= ~(1U << CAP_IPC_LOCK);
	failed = syscall(SYS_capset, &header, have);
	have[0].effective = effective;
	return (int)failed;
}

/* This thread's closed rings that the kernel may not have freed yet. */
static _Thread_local struct {
	struct pollfd ends[RINGS_MAX]; /* for each ring, the read end of its pipe */
	unsigned nr;
	int64_t pinned; /* VmPin before the first of these rings was made */
	bool deferred;
} closed;

/* Pins the range in a new ring. Sets *fd to the ring or to -1. Returns -1 with errno on errors. */
static long make_ring(const struct worker *k, const struct act *a, int *fd)
{
	struct iovec buffer = { act_address(k, a), act_bytes(k, a) };
	struct io_uring_params p = { .flags = 0 };

	*fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	return *fd < 0 ? -1
		       : syscall(SYS_io_uring_register, *fd, IORING_REGISTER_BUFFERS, &buffer, 1);
}

/*
 * io_ring_exit_work() frees a closed ring later: the buffers first, then the ring's files. The ring
 * holds the only write end of a pipe, so the pipe reads as closed when the ring is freed.
 */
static int close_ring(int ring)
{
	int ends[2];
	bool known;

	if (pipe(ends) < 0) {
		close(ring);
		return -1;
	}
	known = syscall(SYS_io_uring_register, ring, IORING_REGISTER_FILES, &ends[1], 1) >= 0;
	close(ends[1]);
	close(ring);
	closed.ends[closed.nr++] = (struct pollfd) { .fd = ends[0], .events = POLLIN };
	errno = EAGAIN;
	return known ? 0 : -1;
}

int rings_await(struct worker *k)
{
	/* less than the observer's time limit */
	enum { PATIENCE_MS = 20000 };
	int64_t until = now_ms() + PATIENCE_MS;
	struct patience patience = { .seconds = 1 };
	bool known = true;

	for (unsigned i = 0; i < closed.nr; i++) {
		int64_t left = until - now_ms();

		known &= poll(&closed.ends[i], 1, left > 0 ? (int)left : 0) == 1;
		close(closed.ends[i].fd);
	}
	while (known && closed.nr && workload_status_pages(k->w, "VmPin") != closed.pinned &&
	       workload_pause(&patience))
		;
	closed.nr = 0;
	errno = EAGAIN;
	return known ? 0 : -1;
}

void rings_defer(bool deferred)
{
	closed.deferred = deferred;
}

/*
 * If make_ring() fails, waits for the closed rings and tries once more: their pages count against
 * RLIMIT_MEMLOCK until the kernel has freed them.
 */
static long make_ring_in_room(struct worker *k, const struct act *a, int *fd)
{
	long made = make_ring(k, a, fd);

	if (made >= 0 || !closed.nr)
		return made;
	if (*fd >= 0)
		close(*fd);
	return rings_await(k) < 0 ? -1 : make_ring(k, a, fd);
}

void verb_pin_closed(struct worker *k, const struct act *a)
{
	struct __user_cap_data_struct have[2];
	int fd = -1;

	if (!closed.nr)
		closed.pinned = workload_status_pages(k->w, "VmPin");
	act_result(k, lock_privilege(have, false));
	if (k->outcome.error)
		return;
	act_result(k, make_ring_in_room(k, a, &fd));
	if (fd >= 0)
		act_result(k, close_ring(fd));
	if (closed.nr && (!closed.deferred || closed.nr == RINGS_MAX))
		act_result(k, rings_await(k));
	lock_privilege(have, true);
}
