// SPDX-License-Identifier: MIT
/*
 * maps and smaps list pages twice if their mapping merges with the next one between two reads.
 *
 * cc -static -o repro repro.c. Exit status: 0 correct, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 12, FROM = 4, TO = 8 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

/* Reads smaps; merges the mappings after the first one's header. Returns the sum of Rss, in kB. */
static long rss(char *area, size_t page)
{
	int fd = open("/proc/self/smaps", O_RDONLY), merged = 0, inside = 0;
	unsigned long long from, to;
	char line[512], c;
	size_t len = 0;
	long kb, sum = 0;

	if (fd < 0)
		cannot_tell("/proc/self/smaps");
	while (read(fd, &c, 1) == 1) {
		if (c != '\n' && len < sizeof(line) - 1) {
			line[len++] = c;
			continue;
		}
		line[len] = '\0';
		len = 0;
		if (sscanf(line, "%llx-%llx ", &from, &to) == 2) {
			inside = from >= (uintptr_t)area && to <= (uintptr_t)area + PAGES * page;
			if (inside)
				printf("%llu to %llu\n", (from - (uintptr_t)area) / page,
				       (to - (uintptr_t)area) / page);
		}
		if (inside && sscanf(line, "Rss: %ld", &kb) == 1)
			sum += kb;
		if (inside && !merged++ &&
		    mprotect(area + FROM * page, (TO - FROM) * page, PROT_READ | PROT_WRITE))
			cannot_tell("mprotect");
	}
	close(fd);
	return sum;
}

int main(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, (PAGES + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long is, resident = (long)(PAGES * page / 1024);

	if (area == MAP_FAILED)
		cannot_tell("mmap");
	area += page;
	if (mprotect(area, PAGES * page, PROT_READ | PROT_WRITE))
		cannot_tell("mprotect");
	memset(area, 1, PAGES * page);
	if (mprotect(area + FROM * page, (TO - FROM) * page, PROT_READ))
		cannot_tell("mprotect");
	is = rss(area, page);
	printf("the sum of Rss is %ld kB, resident are %ld kB\n", is, resident);
	return is != resident;
}
