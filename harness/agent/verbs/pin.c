// SPDX-License-Identifier: MIT
/*
 * Verbs that pin memory, or make the kernel change it, and undo that in the same operation:
 * afterwards every number is as before.
 */
#include "verbs.h"
#include <errno.h>
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ENTRIES = 4 };

/* A buffer that io_uring may read into: pin_user_pages() faults its pages in for writing. */
void verb_pin(struct worker *k, const struct act *a)
{
	struct iovec buffer = { act_address(k, a), act_bytes(k, a) };
	struct io_uring_params p = { .flags = 0 };
	int fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);

	act_result(k, fd);
	if (fd < 0)
		return;
	act_result(k, syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, &buffer, 1));
	/* The library would allocate a heap for another thread. */
	if (gettid() == getpid())
		k->outcome.reported = workload_status_pages(k->w, "VmPin");
	if (!k->outcome.error)
		act_result(k,
			   syscall(SYS_io_uring_register, fd, IORING_UNREGISTER_BUFFERS, NULL, 0));
	close(fd);
}

/* With CAP_IPC_LOCK newer kernels do not count at all (FINDINGS 23): drop it, or restore it. */
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

/*
 * The ring gets the only other end of a pipe: io_ring_exit_work() removes it some time after it was
 * closed, its buffers first, and then the pipe reads as closed.
 */
static int close_and_await(struct worker *k, int ring, int64_t pinned)
{
	/* Less than the time that the observer allows. */
	enum { PATIENCE_S = 20 };
	struct patience patience = { .seconds = 1 };
	struct pollfd end;
	int ends[2];
	bool known;

	if (pipe(ends) < 0) {
		close(ring);
		return -1;
	}
	known = syscall(SYS_io_uring_register, ring, IORING_REGISTER_FILES, &ends[1], 1) >= 0;
	close(ends[1]);
	close(ring);
	end.fd = ends[0];
	known &= poll(&end, 1, PATIENCE_S * 1000) == 1;
	close(ends[0]);
	while (known && workload_status_pages(k->w, "VmPin") != pinned && workload_pause(&patience))
		;
	errno = EAGAIN;
	return known ? 0 : -1;
}

void verb_pin_closed(struct worker *k, const struct act *a)
{
	struct iovec buffer = { act_address(k, a), act_bytes(k, a) };
	int64_t pinned = workload_status_pages(k->w, "VmPin");
	struct io_uring_params p = { .flags = 0 };
	struct __user_cap_data_struct have[2];
	int fd;

	act_result(k, lock_privilege(have, false));
	if (k->outcome.error)
		return;
	fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	act_result(k, fd);
	if (fd >= 0)
		act_result(k,
			   syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, &buffer, 1));
	if (fd >= 0)
		act_result(k, close_and_await(k, fd, pinned));
	lock_privilege(have, true);
}

static int open_event(struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/*
 * Puts a uprobe into the range's first page, behind the byte that the write verbs set: the zeroes
 * there are an instruction of x86. If the act has a value ("uprobe kept"), the uprobe stays until
 * the files of all acts are closed.
 */
void verb_probe(struct worker *k, const struct act *a)
{
	enum { BEHIND = 64 };
	int64_t type = workload_number("/sys/bus/event_source/devices/uprobe/type", NULL, -1);
	struct perf_event_attr attr = { .type = (uint32_t)type };
	int file = act_file(k, a), fd = -1;
	char path[32];

	if (type < 0)
		errno = ENOENT;
	if (type >= 0 && file >= 0) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
		attr.config1 = (uintptr_t)path;
		attr.config2 = a->first * k->page + BEHIND;
		fd = open_event(&attr);
	}
	act_result(k, fd);
	if (k->verb->value)
		k->files[a->serial] = fd;
	else if (fd >= 0)
		close(fd);
}
