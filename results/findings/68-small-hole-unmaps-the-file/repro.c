// SPDX-License-Identifier: MIT
/*
 * A hole that is punched into a part of a file's first page, so that no page is removed, unmaps all
 * pages of the file from all processes. In another page it unmaps none. cc -static -o repro
 * repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 8 };

static int mapped_pages(const char *p, size_t page)
{
	int fd = open("/proc/self/pagemap", O_RDONLY), n = 0;
	uint64_t entries[PAGES] = { 0 };

	if (fd < 0 || pread(fd, entries, sizeof(entries), (off_t)((uintptr_t)p / page * 8)) !=
			      sizeof(entries))
		return -1;
	close(fd);
	for (int i = 0; i < PAGES; i++)
		n += entries[i] >> 63;
	return n;
}

/* Returns how many pages are mapped after a hole of half a page at `from`; -1: cannot tell. */
static int after_hole(size_t page, size_t from)
{
	int fd = memfd_create("file", 0);
	char *p;

	if (fd < 0 || ftruncate(fd, PAGES * page))
		return -1;
	p = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -1;
	memset(p, 'x', PAGES * page);
	if (mapped_pages(p, page) != PAGES ||
	    fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, page / 2))
		return -1;
	return mapped_pages(p, page);
}

int main(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int first = after_hole(page, 0), second = after_hole(page, page);

	if (first < 0 || second < 0) {
		puts("cannot tell");
		return 4;
	}
	printf("of %d mapped pages, after a hole of half a page: in the first page %d, in the second "
	       "page %d\n",
	       PAGES, first, second);
	return first != second;
}
