// SPDX-License-Identifier: MIT
/*
 * Pages that KSM has merged and then unmerged are Private_Clean, although their data is in no file and not on swap.
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

static long number(const char *path)
{
	char text[32] = "-1";
	int fd = open(path, O_RDONLY);

	(void)!read(fd, text, sizeof(text) - 1);
	close(fd);
	return atol(text);
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

enum { PAGES = 64 };

int main(void)
{
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long before = number("/sys/kernel/mm/ksm/pages_sharing");

	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	memset(p, 7, PAGES * PAGE);
	madvise(p, PAGES * PAGE, MADV_MERGEABLE);
	put("/sys/kernel/mm/ksm/pages_to_scan", "10000");
	if (put("/sys/kernel/mm/ksm/run", "1"))
		cannot_tell("KSM");
	for (int i = 0; i < 200 && number("/sys/kernel/mm/ksm/pages_sharing") < before + PAGES - 1; i++)
		usleep(100000);
	put("/sys/kernel/mm/ksm/run", "0");
	if (number("/sys/kernel/mm/ksm/pages_sharing") < before + PAGES - 1)
		cannot_tell("ksmd did not merge");
	madvise(p, PAGES * PAGE, MADV_UNMERGEABLE);
	verdict("kB of Private_Clean", 0, smaps(p, PAGES * PAGE, "Private_Clean"));
}
