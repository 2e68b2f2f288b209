// SPDX-License-Identifier: MIT
/*
 * MADV_COLLAPSE of shared memory, like its reclaim, loses the soft-dirty bit of pages written since clear_refs 4.
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

int main(void)
{
	char *p = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long seen = 0;

	memset(p, 1, 16 * PAGE);
	put("/proc/self/clear_refs", "4");
	if (bits(p, 16, 55))
		cannot_tell("soft-dirty");
	memset(p, 2, 16 * PAGE);
	if (bits(p, 16, 55) != 16)
		cannot_tell("soft-dirty");
	for (int i = 0; i < 50 && bits(p, 16, 63); i++) {
		madvise(p, 16 * PAGE, 21 /* MADV_PAGEOUT */);
		usleep(100000);
	}
	if (bits(p, 16, 63))
		cannot_tell("the pages stay: no swap?");
	for (int i = 0; i < 16; i++)
		seen += *(volatile char *)(p + i * PAGE);
	verdict("soft-dirty pages, of which 16 were written", 16, bits(p, 16, seen == 32 ? 55 : 0));
}
