// SPDX-License-Identifier: MIT
/*
 * nr_hugetlb of /proc/vmstat falls when a reservation of hugetlb pages is refused for which the
 * kernel has allocated some surplus pages already. cc -static -o repro repro.c. Needs root and
 * nr_hugetlb (Linux 6.14). Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { USED = 2, SURPLUS = 2, SIZE = 2 << 20, PAGES = SIZE / 4096 };

static const char pool[] = "/proc/sys/vm/nr_hugepages";
static const char overcommit[] = "/proc/sys/vm/nr_overcommit_hugepages";

/* Returns the number behind `name`, or of a file with one number; -1 if there is none. */
static long number(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	char word[64];
	long n = -1;
	int got = 0;

	if (!f)
		return -1;
	if (!name)
		got = fscanf(f, "%ld", &n);
	else
		while ((got = fscanf(f, "%63s %ld%*[^\n]", word, &n)) == 2 && strcmp(word, name))
			;
	fclose(f);
	return got > 0 ? n : -1;
}

static void set(const char *path, long n)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fprintf(f, "%ld\n", n);
		fclose(f);
	}
}

static char *map(long pages)
{
	return mmap(NULL, pages * (size_t)SIZE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
}

int main(void)
{
	long had = number(pool, NULL), allowed = number(overcommit, NULL), start, before, after;
	long free_pages;
	char *p, *refused;

	set(pool, had + USED);
	set(overcommit, SURPLUS);
	start = number("/proc/vmstat", "nr_hugetlb");
	p = map(USED);
	for (int i = 0; p != MAP_FAILED && i < USED; i++)
		p[i * (size_t)SIZE] = 1;
	before = number("/proc/vmstat", "nr_hugetlb");
	free_pages = number("/proc/meminfo", "HugePages_Free:");
	refused = map(free_pages + SURPLUS + 1);
	after = number("/proc/vmstat", "nr_hugetlb");
	if (p != MAP_FAILED)
		munmap(p, USED * (size_t)SIZE);
	set(overcommit, allowed);
	set(pool, had);
	if (start < 0 || before - start != USED * PAGES || refused != MAP_FAILED) {
		puts("cannot tell");
		return 4;
	}
	printf("nr_hugetlb is %ld, and %ld after a reservation was refused\n", before, after);
	return after != before;
}
