// SPDX-License-Identifier: MIT
/*
 * Reads what scan reads, and discards it: bench.sh takes the time as the lower limit for scan.
 *
 *   bare file PATH     reads a file to its end
 *   bare all NAME      reads this file of every process: smaps_rollup, maps
 *   bare frames PID    reads pagemap of every mapping, and kpagecount of each present page that
 *                      pagemap does not show as mapped only once, at most 1,048,576 of them
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 128 * 1024, WORDS = BUFFER / 8 };

static char buffer[BUFFER];

static int read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	while ((n = read(fd, buffer, sizeof(buffer))) > 0)
		;
	close(fd);
	return 0;
}

static void all(const char *name)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	char path[300];

	while (d && (e = readdir(d))) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%.20s/%.20s", e->d_name, name);
		read_file(path);
	}
	if (d)
		closedir(d);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Frames close to each other are read with one call. The time includes sorting. */
static void counts(int fd, uint64_t *pfns, size_t n)
{
	static uint64_t words[WORDS];

	qsort(pfns, n, sizeof(*pfns), by_number);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1;
		     end < n && pfns[end] - pfns[i] < WORDS && pfns[end] - pfns[end - 1] <= 8;
		     end++)
			;
		if (pread(fd, words, (pfns[end - 1] - pfns[i] + 1) * 8, (off_t)(pfns[i] * 8)) < 0)
			return;
	}
}

static void frames(const char *pid)
{
	static uint64_t words[WORDS], pfns[1 << 20];
	char path[64], line[4096];
	long page = sysconf(_SC_PAGESIZE);
	size_t n = 0;
	int fd, kpagecount = open("/proc/kpagecount", O_RDONLY | O_CLOEXEC);
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "re");
	snprintf(path, sizeof(path), "/proc/%s/pagemap", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (maps && fgets(line, sizeof(line), maps)) {
		uint64_t start, end;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) != 2)
			continue;
		for (uint64_t at = start / (uint64_t)page; at < end / (uint64_t)page;) {
			uint64_t left = end / (uint64_t)page - at;
			ssize_t got = pread(fd, words, (left < WORDS ? left : WORDS) * 8,
					    (off_t)(at * 8));

			if (got <= 0)
				break;
			at += (uint64_t)got / 8;
			for (ssize_t i = 0; i < got / 8; i++)
				if (words[i] >> 63 && !(words[i] >> 56 & 1) && n < 1 << 20)
					pfns[n++] = words[i] & ((1ULL << 55) - 1);
		}
	}
	counts(kpagecount, pfns, n);
	if (maps)
		fclose(maps);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "file"))
		return read_file(argv[2]) ? 1 : 0;
	if (argc == 3 && !strcmp(argv[1], "all"))
		all(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "frames"))
		frames(argv[2]);
	else
		return 2;
	return 0;
}
