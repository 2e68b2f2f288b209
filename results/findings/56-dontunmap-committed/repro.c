// SPDX-License-Identifier: MIT
/*
 * After MREMAP_DONTUNMAP, Committed_AS keeps counting the old mapping even when both mappings are unmapped.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

enum { SIZE = 64 << 20, TIMES = 4 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static long committed(void)
{
	char line[128];
	FILE *f = fopen("/proc/meminfo", "r");
	long n = -1;

	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "Committed_AS: %ld", &n);
	if (n < 0)
		cannot_tell("Committed_AS");
	fclose(f);
	return n;
}

int main(void)
{
	long before = committed(), more;

	for (int i = 0; i < TIMES; i++) {
		char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		char *to;

		if (p == MAP_FAILED)
			cannot_tell("mmap");
		*p = 1;
		to = mremap(p, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
		if (to == MAP_FAILED)
			cannot_tell("mremap");
		munmap(p, SIZE);
		munmap(to, SIZE);
	}
	more = committed() - before;
	printf("kB more in Committed_AS after %d times %d kB: expected about 0, seen %ld: %s\n", TIMES, SIZE >> 10, more,
	       more < SIZE >> 11 ? "right" : "WRONG");
	return more >= SIZE >> 11;
}
