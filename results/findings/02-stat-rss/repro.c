// SPDX-License-Identifier: MIT
/*
 * Field 24 of /proc/PID/stat lags, although field 2 of statm is exact for the same process, which is at rest.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
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

static long field(const char *path, int n)
{
	FILE *f = fopen(path, "r");
	char line[1024], *p = line;

	if (!f || !fgets(line, sizeof(line), f))
		cannot_tell(path);
	fclose(f);
	if (strrchr(line, ')')) {
		p = strrchr(line, ')') + 2;
		n -= 2;
	}
	while (--n)
		p = strchr(p, ' ') + 1;
	return atol(p);
}

/*
 * Compares the two fields after each touched page: the pages in the CPUs' batches may happen to sum up to 0 after one page,
 * but not after each of many.
 */
int main(void)
{
	enum { PAGES = 64 };
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long most = 0;

	for (int i = 0; i < PAGES; i++) {
		long statm, lacks;

		p[i * PAGE] = 1;
		statm = field("/proc/self/statm", 2);
		lacks = labs(statm - field("/proc/self/stat", 24));
		most = lacks > most ? lacks : most;
	}
	if (smaps(NULL, SIZE_MAX, "Rss") / 4 != field("/proc/self/statm", 2))
		cannot_tell("statm is approximate, too");
	verdict("pages by which stat's field 24 is off statm's field 2, at most", 0, most);
}
