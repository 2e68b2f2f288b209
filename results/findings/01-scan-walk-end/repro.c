// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN with room for 1,200 ranges returns all 1,100 ranges, but its walk_end is lower than the end address.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
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

struct region {
	uint64_t start, end, categories;
};
struct scan {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages, inverted, mask, anyof, returned;
};

int main(void)
{
	enum { RANGES = 1100, PRESENT = 8 };
	static struct region v[1200];
	char *p = mmap(NULL, 2 * RANGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct scan arg = { .size = sizeof(arg), .start = (uintptr_t)p, .end = (uintptr_t)p + 2 * RANGES * PAGE,
			    .vec = (uintptr_t)v, .vec_len = 1200, .mask = PRESENT, .returned = PRESENT };
	int fd = open("/proc/self/pagemap", O_RDONLY);

	madvise(p, 2 * RANGES * PAGE, MADV_NOHUGEPAGE);
	for (int i = 0; i < RANGES; i++)
		p[2 * i * PAGE] = 1;
	if (ioctl(fd, _IOWR('f', 16, struct scan), &arg) != RANGES)
		cannot_tell("PAGEMAP_SCAN");
	verdict("bytes between walk_end and the end", 0, (long)(arg.end - arg.walk_end));
}
