// SPDX-License-Identifier: MIT
/*
 * numa_huge_pte_updates of /proc/vmstat, the huge pages that NUMA balancing has sampled, counts each
 * huge page that mprotect(2) changes, too: here 20, while NUMA balancing is off. cc -static -o repro
 * repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20, TIMES = 10 };

/* Returns -1 if the file or the line is missing. */
static long number(const char *path, const char *line)
{
	FILE *f = fopen(path, "r");
	char text[256];
	long value = -1;
	size_t len = strlen(line);

	while (f && value < 0 && fgets(text, sizeof(text), f))
		if (!strncmp(text, line, len))
			value = strtol(text + len, NULL, 10);
	if (f)
		fclose(f);
	return value;
}

int main(void)
{
	long before = number("/proc/vmstat", "numa_huge_pte_updates "), rose;
	char *p = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (before < 0 || p == MAP_FAILED || number("/proc/sys/kernel/numa_balancing", "") > 0)
		return 4;
	p = (char *)(((uintptr_t)p + HUGE - 1) & -(uintptr_t)HUGE);
	madvise(p, HUGE, MADV_HUGEPAGE);
	memset(p, 1, HUGE);
	if (!number("/proc/self/smaps_rollup", "AnonHugePages:"))
		return 4;
	for (int i = 0; i < TIMES; i++) {
		mprotect(p, HUGE, PROT_READ);
		mprotect(p, HUGE, PROT_READ | PROT_WRITE);
	}
	rose = number("/proc/vmstat", "numa_huge_pte_updates ") - before;
	printf("%d calls of mprotect(2): numa_huge_pte_updates rose by %ld\n", 2 * TIMES, rose);
	return rose != 0;
}
