// SPDX-License-Identifier: MIT
/*
 * nr_anon of hugepages-2048kB counts a private hugetlb page for ever once it has migrated. A page
 * is written, moved to another node and unmapped. cc -static -o repro repro.c. Needs root, two
 * nodes, and nr_anon (Linux 6.11). Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIZE = 2 << 20, TIMES = 8, MOVE = 2 };

static const char
	pool[] = "/sys/devices/system/node/node%d/hugepages/hugepages-2048kB/nr_hugepages";

static long number(const char *path)
{
	FILE *f = fopen(path, "r");
	long n = -1;

	if (f && fscanf(f, "%ld", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

static void set(const char *path, long n)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fprintf(f, "%ld\n", n);
		fclose(f);
	}
}

static long nr_anon(void)
{
	return number("/sys/kernel/mm/transparent_hugepage/hugepages-2048kB/stats/nr_anon");
}

/* Returns 1 if a page was moved. */
static int move_a_page(void)
{
	char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	void *page = p;
	int node = -1, to, status = -1;

	if (p == MAP_FAILED)
		return 0;
	p[0] = 1;
	syscall(SYS_move_pages, 0, 1L, &page, NULL, &node, 0);
	to = !node;
	syscall(SYS_move_pages, 0, 1L, &page, &to, &status, MOVE);
	munmap(p, SIZE);
	return status == to;
}

int main(void)
{
	char path[2][128];
	long was[2], before, after;
	int moved = 0;

	for (int i = 0; i < 2; i++) {
		snprintf(path[i], sizeof(path[i]), pool, i);
		was[i] = number(path[i]);
		if (was[i] >= 0)
			set(path[i], was[i] + 1);
	}
	before = nr_anon();
	for (int i = 0; i < TIMES; i++)
		moved += move_a_page();
	after = nr_anon();
	for (int i = 0; i < 2; i++)
		if (was[i] >= 0)
			set(path[i], was[i]);
	if (before < 0 || !moved) {
		puts("cannot tell");
		return 4;
	}
	printf("nr_anon is %ld, and %ld after %d hugetlb pages were moved and unmapped\n", before,
	       after, moved);
	return after - before >= moved;
}
