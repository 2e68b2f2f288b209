// SPDX-License-Identifier: MIT
/* Reads the entries of a mapping from /proc/PID/pagemap, block by block. */
#include "scanner.h"
#include "walkable.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	BLOCK_ENTRIES = 32 * 1024, /* 256 KiB of entries, for 128 MiB of memory (4 kB pages) */
	SCAN_REGIONS = 512,
};

/*
 * The largest mapping whose entries are all read if the kernel has no PAGEMAP_SCAN: 256 GiB take
 * one or two seconds.
 */
static const uint64_t bearable = 256ULL << 30;

int64_t pagemap_entries(int fd, long page_size, uint64_t start, uint64_t end, uint64_t *words)
{
	size_t wanted = (size_t)((end - start) / (uint64_t)page_size) * sizeof(*words);
	uint64_t from = start / (uint64_t)page_size * sizeof(*words);
	size_t got = 0;

	while (got < wanted) {
		ssize_t n = pread(fd, (char *)words + got, wanted - got, (off_t)(from + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (int64_t)(got / sizeof(*words));
}

struct blocks {
	int fd;
	int64_t page_size;
	uint64_t *words;
	int (*found)(uint64_t start, const uint64_t *words, size_t n, void *arg);
	void *arg;
};

static int blocks_range(struct blocks *b, uint64_t start, uint64_t end)
{
	uint64_t step = (uint64_t)(BLOCK_ENTRIES * b->page_size);

	for (; start < end; start += step) {
		uint64_t stop = end - start < step ? end : start + step;
		int64_t n = pagemap_entries(b->fd, b->page_size, start, stop, b->words);
		int result;

		if (n < 0)
			return -errno;
		if (n != (int64_t)((stop - start) / (uint64_t)b->page_size))
			return -ESRCH;
		result = b->found(start, b->words, (size_t)n, b->arg);
		if (result)
			return result;
	}
	return 0;
}

static int blocks_region(const struct scan_region *r, void *arg)
{
	return blocks_range(arg, r->start, r->end);
}

static int blocks_sparse(struct blocks *b, const struct mapping *m)
{
	struct scanner sc;
	int error = scanner_open(&sc, b->fd, SCAN_REGIONS);

	if (!error)
		error = scanner_run(&sc, m->start, m->end, blocks_region, b);
	scanner_close(&sc);
	return error;
}

int pagemap_blocks(int fd, const struct host *h, const struct mapping *m, uint64_t sparse_above,
		   int (*found)(uint64_t start, const uint64_t *words, size_t n, void *arg),
		   void *arg)
{
	struct blocks b = { .fd = fd, .page_size = h->page_size, .found = found, .arg = arg };
	int error;

	if (!mapping_is_walkable(m))
		return 0;
	if (!h->has_scan && m->end - m->start > bearable)
		return -EFBIG;
	b.words = malloc(BLOCK_ENTRIES * sizeof(*b.words));
	if (!b.words)
		return -ENOMEM;
	error = m->end - m->start > sparse_above && h->has_scan
			? blocks_sparse(&b, m)
			: blocks_range(&b, m->start, m->end);
	free(b.words);
	return error;
}
