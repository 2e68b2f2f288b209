// SPDX-License-Identifier: MIT
/*
 * A mapping of one page of a shmem file counts all of a large swap entry in its Swap: 2,048 kB instead of 4.
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

/* Maps memory at a multiple of 2 MiB. */
static char *aligned(size_t bytes, int flags)
{
	char *p = mmap((char *)(1UL << 40), bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	return p != MAP_FAILED ? p : (cannot_tell("mmap"), p);
}

int main(void)
{
	char *p = aligned(2 * HUGE, MAP_SHARED), *q = p + HUGE;

	put("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "advise");
	madvise(p, 2 * HUGE, MADV_HUGEPAGE);
	memset(p, 1, 2 * HUGE);
	madvise(p, 2 * HUGE, 25 /* MADV_COLLAPSE */);
	if (smaps(p, 2 * HUGE, "ShmemPmdMapped") != 2 * HUGE / 1024)
		cannot_tell("no huge pages of shmem");
	for (int i = 0; i < 50 && smaps(p, 2 * HUGE, "Swap") < HUGE / 1024; i++) {
		madvise(q, HUGE, 21 /* MADV_PAGEOUT */);
		usleep(100000);
	}
	if (smaps(p, 2 * HUGE, "Swap") < HUGE / 1024)
		cannot_tell("not all of it is on swap");
	munmap(p, HUGE);
	mprotect(q, PAGE, PROT_NONE);
	verdict("kB of Swap of one page", 4, smaps(q, PAGE, "Swap"));
}
