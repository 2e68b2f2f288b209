// SPDX-License-Identifier: MIT
/*
 * If a huge page was written before clear_refs 4 and not since, a split of its PMD makes all 512 pages soft-dirty.
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

enum { PAGE = 4096, HUGE = 2UL << 20 };

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

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	ssize_t written = write(fd, text, strlen(text));

	close(fd);
	return written > 0 ? 0 : -1;
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

/* Maps memory at a multiple of 2 MiB. */
static char *aligned(size_t bytes, int flags)
{
	char *p = mmap((char *)(1UL << 40), bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	return p != MAP_FAILED ? p : (cannot_tell("mmap"), p);
}

int main(void)
{
	char *p = aligned(HUGE, MAP_PRIVATE);

	madvise(p, HUGE, MADV_HUGEPAGE);
	memset(p, 1, HUGE);
	if (smaps(p, HUGE, "AnonHugePages") != HUGE / 1024)
		cannot_tell("no huge page");
	if (bits(p, 512, 55) != 512 || put("/proc/self/clear_refs", "4") || bits(p, 512, 55))
		cannot_tell("soft-dirty");
	mprotect(p, PAGE, PROT_READ);
	verdict("soft-dirty pages, of which none was written", 0, bits(p, 512, 55));
}
