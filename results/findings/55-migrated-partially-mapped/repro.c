// SPDX-License-Identifier: MIT
/*
 * Folios of 64 kB that are mapped completely count as partially mapped after they migrated.
 *
 * cc -static -o repro repro.c. Needs root and two nodes. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIZE "/sys/kernel/mm/transparent_hugepage/hugepages-64kB/"

enum { FOLIO = 64 << 10, FOLIOS = 64 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static long number(const char *path)
{
	FILE *f = fopen(path, "r");
	long n;

	if (!f || fscanf(f, "%ld", &n) != 1)
		cannot_tell(path);
	fclose(f);
	return n;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		cannot_tell(path);
	close(fd);
}

int main(void)
{
	int nodes[FOLIOS], states[FOLIOS], moved = 0;
	void *pages[FOLIOS];
	long before, made, marked;

	made = number(SIZE "stats/nr_anon");
	put(SIZE "enabled", "always");
	/* Separate mappings, each too small for a larger folio. */
	for (size_t i = 0; i < FOLIOS; i++) {
		pages[i] = mmap((char *)(1UL << 40) + 2 * i * FOLIO, FOLIO, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		if (pages[i] == MAP_FAILED)
			cannot_tell("mmap");
		memset(pages[i], 1, FOLIO);
		nodes[i] = 1;
	}
	put(SIZE "enabled", "never");
	if (number(SIZE "stats/nr_anon") - made < FOLIOS)
		cannot_tell("no folios of 64 kB");
	before = number(SIZE "stats/nr_anon_partially_mapped");
	if (syscall(SYS_move_pages, 0, (long)FOLIOS, pages, nodes, states, 2 /* MPOL_MF_MOVE */) < 0)
		cannot_tell("move_pages");
	for (int i = 0; i < FOLIOS; i++)
		moved += states[i] == 1;
	if (!moved)
		cannot_tell("no folio moved");
	marked = number(SIZE "stats/nr_anon_partially_mapped") - before;
	printf("%d folios moved, mapped completely; partially mapped: expected 0, seen %ld: %s\n", moved, marked,
	       marked ? "WRONG" : "right");
	return marked != 0;
}
