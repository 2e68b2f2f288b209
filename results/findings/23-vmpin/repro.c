// SPDX-License-Identifier: MIT
/*
 * VmPin leaves out the buffers that a process with CAP_IPC_LOCK has registered with io_uring.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static _Noreturn void verdict(const char *what, long expected, long seen)
{
	printf("%s: expected %ld, seen %ld: %s\n", what, expected, seen, expected == seen ? "right" : "WRONG");
	exit(expected != seen);
}

/* Returns a field of /proc/self/status in kB; -1 if it is missing. */
static long long status(const char *field)
{
	FILE *f = fopen("/proc/self/status", "r");
	long long value = -1;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, field, strlen(field)) && line[strlen(field)] == ':')
			value = atoll(line + strlen(field) + 1);
	fclose(f);
	return value;
}

enum { PAGES = 64 };

int main(void)
{
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct io_uring_params params = { 0 };
	struct iovec buffer = { p, PAGES * PAGE };
	int ring = (int)syscall(SYS_io_uring_setup, 4, &params);

	memset(p, 1, PAGES * PAGE);
	if (ring < 0 || syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &buffer, 1))
		cannot_tell("io_uring");
	verdict("kB in VmPin", PAGES * 4, (long)status("VmPin"));
}
