// SPDX-License-Identifier: MIT
/*
 * Pss must count all of a huge page that only one process maps. A 32-bit kernel counts 0 kB.
 *
 * cc -static -o repro repro.c, for the kernel's own machine (i386). Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE = 2 << 20 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

/* Returns a field of /proc/self/smaps in kB, summed over the mappings that begin within the huge page. */
static long smaps(const char *p, const char *field)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long from, to;
	char line[512];
	long kb, sum = 0;
	int inside = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			inside = from >= (uintptr_t)p && from < (uintptr_t)p + HUGE;
		else if (inside && !strncmp(line, field, strlen(field)) && sscanf(line + strlen(field), "%ld", &kb) == 1)
			sum += kb;
	}
	if (f)
		fclose(f);
	return sum;
}

int main(void)
{
	int fd = open("/sys/kernel/mm/transparent_hugepage/enabled", O_WRONLY);
	char *room = mmap(NULL, 2 * HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *p;
	long pss;

	(void)!write(fd, "madvise", 7);
	p = (char *)(((uintptr_t)room + HUGE - 1) & -(uintptr_t)HUGE);
	if (room == MAP_FAILED || mprotect(p, HUGE, PROT_READ | PROT_WRITE) || madvise(p, HUGE, MADV_HUGEPAGE))
		cannot_tell("MADV_HUGEPAGE");
	memset(p, 1, HUGE);
	if (smaps(p, "AnonHugePages:") != HUGE / 1024 || smaps(p, "Rss:") != HUGE / 1024)
		cannot_tell("no huge page");
	pss = smaps(p, "Pss:");
	printf("Pss of a huge page that one process maps: expected %d kB, seen %ld kB: %s\n", HUGE / 1024, pss,
	       pss == HUGE / 1024 ? "right" : "WRONG");
	return pss != HUGE / 1024;
}
