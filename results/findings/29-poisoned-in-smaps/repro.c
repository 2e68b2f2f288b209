// SPDX-License-Identifier: MIT
/*
 * A poisoned anonymous page (MADV_HWPOISON) is no longer in VmRSS, but still in Rss of smaps. Each run costs the machine a
 * page.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
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

/* Returns a field of smaps in kB, summed over the mappings that begin within [p, p + bytes). */
static long smaps(const char *p, size_t bytes, const char *field)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	size_t length = strlen(field), start = 0;
	char line[512], *end;
	long sum = 0;

	while (f && fgets(line, sizeof(line), f)) {
		size_t address = strtoul(line, &end, 16);

		start = *end == '-' ? address : start;
		if (start - (size_t)p < bytes && !strncmp(line, field, length) && line[length] == ':')
			sum += atol(line + length + 1);
	}
	fclose(f);
	return sum;
}

/* Returns how many of the pages have the bit set in /proc/self/pagemap. */
static long bits(const char *p, int pages, int bit)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry;
	long sum = 0;

	for (int i = 0; i < pages; i++) {
		if (pread(fd, &entry, 8, (off_t)(((uintptr_t)p / PAGE + i) * 8)) != 8)
			cannot_tell("pagemap");
		sum += entry >> bit & 1;
	}
	close(fd);
	return sum;
}

static void ignore(int signal)
{
	(void)signal;
}

int main(void)
{
	char *p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	signal(SIGBUS, ignore);
	madvise(p, 4 * PAGE, MADV_NOHUGEPAGE);
	memset(p, 1, 4 * PAGE);
	if (madvise(p, PAGE, 100 /* MADV_HWPOISON */))
		cannot_tell("MADV_HWPOISON");
	if (bits(p, 1, 63))
		cannot_tell("the page is still there");
	verdict("kB of smaps' Rss with three pages left", 12, smaps(p, 4 * PAGE, "Rss"));
}
