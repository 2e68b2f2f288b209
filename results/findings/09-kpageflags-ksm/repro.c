// SPDX-License-Identifier: MIT
/*
 * KPF_KSM, bit 21 of /proc/kpageflags, is set for an anonymous page for which MADV_MERGEABLE was never called.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int main(void)
{
	char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int pagemap = open("/proc/self/pagemap", O_RDONLY), flags = open("/proc/kpageflags", O_RDONLY);
	uint64_t entry, of = 0;

	*p = 1;
	if (pread(pagemap, &entry, 8, (off_t)((uintptr_t)p / PAGE * 8)) != 8 || !(entry & ((1ULL << 55) - 1)))
		cannot_tell("page frame numbers");
	if (pread(flags, &of, 8, (off_t)((entry & ((1ULL << 55) - 1)) * 8)) != 8)
		cannot_tell("/proc/kpageflags");
	verdict("KPF_KSM", 0, of >> 21 & 1);
}
