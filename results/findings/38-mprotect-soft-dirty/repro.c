// SPDX-License-Identifier: MIT
/*
 * mprotect(2) makes pages of a large folio soft-dirty that were not written since clear_refs 4.
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

enum { PAGE = 4096, PAGES = 512, PROTECTED = 256 };

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

int main(void)
{
	size_t huge = PAGES * PAGE;
	char *p = mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p = (char *)(((uintptr_t)p + huge - 1) & -huge);
	madvise(p, huge, MADV_HUGEPAGE);
	memset(p, 1, huge);
	if (smaps(p, huge, "AnonHugePages") != PAGES * PAGE / 1024)
		cannot_tell("no huge page");
	mprotect(p, PAGE, PROT_READ); /* now 512 entries map it */
	put("/proc/self/clear_refs", "4");
	if (bits(p, PAGES, 55))
		cannot_tell("soft-dirty");
	p[huge - 1] = 2;
	if (bits(p, PAGES, 55) != 1)
		cannot_tell("soft-dirty");
	mprotect(p + PAGE, PROTECTED * PAGE, PROT_READ);
	verdict("soft-dirty pages, of which one was written", 1, bits(p, PAGES, 55));
}
