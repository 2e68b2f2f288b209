// SPDX-License-Identifier: MIT
/*
 * A write to one page of shared memory makes all pages of its large folio soft-dirty.
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
	char *p;

	if (put("/sys/kernel/mm/transparent_hugepage/hugepages-64kB/shmem_enabled", "always"))
		cannot_tell("no large folios of shmem");
	p = aligned(16 * PAGE, MAP_SHARED);
	put("/proc/self/clear_refs", "4");
	*p = 1;
	put("/sys/kernel/mm/transparent_hugepage/hugepages-64kB/shmem_enabled", "never");
	verdict("soft-dirty pages, of which one was written", 1, bits(p, 16, 55));
}
