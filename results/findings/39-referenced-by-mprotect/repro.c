// SPDX-License-Identifier: MIT
/*
 * After clear_refs 1 no page is Referenced. mprotect(2) accesses no page, but on ppc64 and riscv64 it makes all pages
 * Referenced.
 *
 * cc -static -o repro repro.c, for the kernel's own machine. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 16 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

/* Returns a field of the mapping at p in /proc/self/smaps, in kB. */
static long smaps(const char *p, const char *field)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long from, to;
	char line[512];
	long kb, seen = -1;
	int inside = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			inside = from <= (uintptr_t)p && (uintptr_t)p < to;
		else if (inside && !strncmp(line, field, strlen(field)) && sscanf(line + strlen(field), "%ld", &kb) == 1)
			seen = kb;
	}
	if (f)
		fclose(f);
	return seen;
}

int main(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = PAGES * page;
	char *room = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *p = room + page;
	int fd = open("/proc/self/clear_refs", O_WRONLY);
	long before, seen;

	if (room == MAP_FAILED || mprotect(p, bytes, PROT_READ | PROT_WRITE))
		cannot_tell("mmap");
	madvise(p, bytes, MADV_NOHUGEPAGE);
	memset(p, 1, bytes);
	if (write(fd, "1", 1) != 1)
		cannot_tell("/proc/self/clear_refs");
	before = smaps(p, "Referenced:");
	if (before != 0 || smaps(p, "Rss:") != (long)(bytes / 1024))
		cannot_tell("clear_refs 1 left pages Referenced");
	if (mprotect(p, bytes, PROT_READ))
		cannot_tell("mprotect");
	seen = smaps(p, "Referenced:");
	printf("Referenced after clear_refs 1 and mprotect(2): expected 0 kB, seen %ld kB: %s\n", seen, seen ? "WRONG" : "right");
	return seen != 0;
}
