// SPDX-License-Identifier: MIT
/*
 * Field 24 of /proc/PID/stat lags where field 2 of statm, of the same process at rest, is exact.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
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

/* A field of smaps, in kB, of all mappings that begin within [p, p + bytes). */
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

enum { CLASSES = 3 };

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

/* Few pages on each CPU: each keeps what it has counted to itself. */
static void *touch(void *memory)
{
	for (int i = 0; i < 20; i++)
		((char *)memory)[i * PAGE] = 1;
	return NULL;
}

int main(void)
{
	char *p = mmap(NULL, 20 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;

	if (pthread_create(&thread, NULL, touch, p))
		cannot_tell("pthread_create");
	pthread_join(thread, NULL);
	if (smaps(NULL, SIZE_MAX, "Rss") / 4 != field("/proc/self/statm", 2))
		cannot_tell("statm is approximate, too");
	verdict("pages of statm's field 2 that stat's field 24 lacks", 0,
		field("/proc/self/statm", 2) - field("/proc/self/stat", 24));
}
