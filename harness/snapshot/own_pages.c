// SPDX-License-Identifier: MIT
/*
 * Tests whether memory that was only read has the zero page. In pagemap an anonymous page that one
 * process maps is exclusive, and the small zero page never is (fs/proc/task_mmu.c
 * pte_to_pagemap_entry()).
 */
#define _GNU_SOURCE
#include "probes.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum seen { SEEN_NOTHING, SEEN_ZERO_PAGE, SEEN_OWN_PAGE };

static enum seen look(const struct host *h, const char *at)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t start = (uintptr_t)at, entry = 0;
	int64_t nr = 0;

	if (fd < 0)
		return SEEN_NOTHING;
	nr = pagemap_entries(fd, h->page_size, start, start + (uint64_t)h->page_size, &entry);
	close(fd);
	if (nr != 1 || !(entry & PAGEMAP_PRESENT))
		return SEEN_NOTHING;
	return entry & PAGEMAP_EXCLUSIVE ? SEEN_OWN_PAGE : SEEN_ZERO_PAGE;
}

/* Reads the first byte of new memory of this size, after madvise(2), and looks at its last page. */
static enum seen read_new(const struct host *h, size_t bytes, int advice)
{
	enum seen seen = SEEN_NOTHING;
	char *p, *at;

	p = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return seen;
	at = (char *)(((uintptr_t)p + bytes - 1) / bytes * bytes);
	/* Without huge pages in the kernel the advice fails, and small pages are mapped. */
	madvise(at, bytes, advice);
	/* The value is used, because valgrind drops a read whose value is not used. */
	if (*(volatile char *)at == 0)
		seen = look(h, at + bytes - (size_t)h->page_size);
	munmap(p, 2 * bytes);
	return seen;
}

bool reads_get_own_pages(const struct host *h)
{
	if (read_new(h, (size_t)h->page_size, MADV_NOHUGEPAGE) != SEEN_OWN_PAGE)
		return false;
	return read_new(h, (size_t)h->huge_page_size, MADV_HUGEPAGE) != SEEN_ZERO_PAGE;
}
