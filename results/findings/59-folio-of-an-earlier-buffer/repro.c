// SPDX-License-Identifier: MIT
/*
 * VmPin counts a huge page twice if the first and the third buffer of one IORING_REGISTER_BUFFERS are in it, and the
 * second is not.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096, HUGE = 2 << 20 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

/* Returns a field of a file of /proc/self in kB; the sum if there are several; -1 if it is missing. */
static long kb(const char *path, const char *field)
{
	FILE *f = fopen(path, "r");
	char line[512];
	long sum = -1;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, field, strlen(field)))
			sum = (sum < 0 ? 0 : sum) + atol(line + strlen(field));
	if (f)
		fclose(f);
	return sum;
}

/* Since 7.2 only processes without CAP_IPC_LOCK are counted (finding 23). */
static void drop_privilege(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct have[2];
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &all) && !getrlimit(RLIMIT_MEMLOCK, &all)) {
		all.rlim_cur = all.rlim_max;
		setrlimit(RLIMIT_MEMLOCK, &all);
	}
	if (syscall(SYS_capget, &header, have))
		cannot_tell("capget");
	have[0].effective &= ~(1U << CAP_IPC_LOCK);
	if (syscall(SYS_capset, &header, have))
		cannot_tell("capset");
}

int main(void)
{
	char *place = mmap(NULL, 3 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *p = place + (-(uintptr_t)place & (HUGE - 1));
	struct iovec buffers[] = { { p, PAGE }, { p + HUGE, PAGE }, { p + 2 * PAGE, PAGE } };
	struct io_uring_params params = { 0 };
	long expected = 2 * HUGE / 1024, is;
	int ring;

	if (place == MAP_FAILED)
		cannot_tell("mmap");
	madvise(p, 2 * HUGE, MADV_HUGEPAGE);
	memset(p, 1, 2 * HUGE);
	if (kb("/proc/self/smaps", "AnonHugePages:") < expected)
		cannot_tell("no huge pages");
	drop_privilege();
	ring = (int)syscall(SYS_io_uring_setup, 4, &params);
	if (ring < 0 || syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, buffers, 3))
		cannot_tell("io_uring");
	is = kb("/proc/self/status", "VmPin:");
	if (syscall(SYS_io_uring_register, ring, IORING_UNREGISTER_BUFFERS, NULL, 0))
		cannot_tell("IORING_UNREGISTER_BUFFERS");
	printf("kB in VmPin for buffers in two huge pages: expected %ld, seen %ld, %ld when unregistered: %s\n", expected,
	       is, kb("/proc/self/status", "VmPin:"), is == expected ? "right" : "WRONG");
	return is != expected;
}
