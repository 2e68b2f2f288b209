// SPDX-License-Identifier: MIT
/*
 * VmHWM misses a peak that does not end with an munmap(). A huge page of shmem adds 512 pages to the RSS. MADV_COLD of one
 * page splits the huge page, which unmaps it; VmHWM is then lower than the RSS was.
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
#include <sys/resource.h>
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

/* Returns a field of /proc/self/status in kB; -1 if it is missing. */
static long long status(const char *field)
{
	FILE *f = fopen("/proc/self/status", "r");
	long long value = -1;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, field, strlen(field)) && line[strlen(field)] == ':')
			value = atoll(line + strlen(field) + 1);
	fclose(f);
	return value;
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
	char *p = aligned(HUGE, MAP_SHARED);
	long long peak;

	put("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "advise");
	madvise(p, HUGE, MADV_HUGEPAGE);
	*p = 1;
	madvise(p, HUGE, 25 /* MADV_COLLAPSE */);
	if (smaps(p, HUGE, "ShmemPmdMapped") != HUGE / 1024)
		cannot_tell("no huge page of shmem");
	peak = status("VmRSS");
	madvise(p + PAGE, PAGE, 20 /* MADV_COLD */);
	if (status("VmRSS") > peak - 1024)
		cannot_tell("the huge page was not split");
	verdict("kB of the peak that VmHWM lacks (more than a batch)", 0,
		status("VmHWM") < peak - 1024 ? (long)(peak - status("VmHWM")) : 0);
}
