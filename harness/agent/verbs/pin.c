// SPDX-License-Identifier: MIT
/*
 * Verbs: what pins memory, or has the kernel change it, and lets go of it again in the same
 * act: behind it every book is as it was.
 */
#include "verbs.h"
#include <errno.h>
#include <inttypes.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ENTRIES = 4, RING_PAGES = 9 };

#define PERF_ALLOWANCE "/proc/sys/kernel/perf_event_mlock_kb"

/* A buffer that io_uring may read into: pin_user_pages() faults its pages in, to write them. */
void verb_pin(struct worker *k, const struct act *a)
{
	struct iovec buffer = { act_address(k, a), act_bytes(k, a) };
	struct io_uring_params p = { .flags = 0 };
	int fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);

	act_result(k, fd);
	if (fd < 0)
		return;
	act_result(k, syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, &buffer, 1));
	k->outcome.told = workload_status_pages(k->w, "VmPin");
	if (!k->outcome.error)
		act_result(k,
			   syscall(SYS_io_uring_register, fd, IORING_UNREGISTER_BUFFERS, NULL, 0));
	close(fd);
}

static int open_event(struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* A ring beyond the user's allowance is VmPin: where the allowance is ours it is nothing. */
void verb_perf(struct worker *k, const struct act *a)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY };
	char allowed[24];
	void *ring = MAP_FAILED;
	int fd;

	(void)a;
	if (!act_is_in_guest(k))
		return;
	fd = open_event(&attr);
	if (fd >= 0) {
		snprintf(allowed, sizeof(allowed), "%" PRId64,
			 workload_number(PERF_ALLOWANCE, NULL, -1));
		workload_try_to_set(PERF_ALLOWANCE, "0");
		ring = mmap(NULL, RING_PAGES * k->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		workload_try_to_set(PERF_ALLOWANCE, allowed);
	}
	act_result(k, ring == MAP_FAILED ? -1 : munmap(ring, RING_PAGES * k->page));
	if (fd >= 0)
		close(fd);
}

/* In the range's first page, behind the byte that writes leave: zeroes are an instruction on x86.
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
	if (fd >= 0)
		close(fd);
}
