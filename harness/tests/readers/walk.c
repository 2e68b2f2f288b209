// SPDX-License-Identifier: MIT
/*
 * Page tables, page frames and PAGEMAP_SCAN: words in files in memory, and ranges from an ioctl
 * that replaces the kernel's.
 */
#include "pagetable/scanner.h"
#include "readers.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

enum { PAGE = 4096, PAGES = 64, FRAMES = 4096, VECTOR = 8 };

static struct input ranges;

int __wrap_ioctl(int fd, unsigned long request, ...);

/* Returns ranges in ascending order like a kernel, of any length, up to the end and beyond. */
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct scan_arg *arg;
	struct scan_region *regions;
	unsigned n = 0, most;
	va_list args;

	(void)fd;
	va_start(args, request);
	arg = va_arg(args, struct scan_arg *);
	va_end(args);
	must(request == SCAN_IOCTL && arg->start < arg->end);
	regions = (struct scan_region *)(uintptr_t)arg->vec;
	most = (unsigned)take_number(&ranges, 1) % (VECTOR + 2);
	if (most == VECTOR + 1) {
		errno = EINVAL;
		return -1;
	}
	for (uint64_t at = arg->start; n < most && n < arg->vec_len && ranges.left; n++) {
		uint64_t start = at + take_number(&ranges, 1) % 4 * PAGE;

		at = start + take_number(&ranges, 1) % 8 * PAGE;
		regions[n] = (struct scan_region) { start, at, take_number(&ranges, 2) };
	}
	arg->walk_end = take_number(&ranges, 1) * PAGE;
	return (int)n;
}

/* Returns a mapping of any kind, a little above address 0. */
static struct mapping a_mapping(struct input *in, uint64_t start)
{
	static const char *const names[] = { "",           "/file",          "[vvar]",
					     "[vsyscall]", "/anon_hugepage", "[stack]" };
	static const char *const flags[] = { "", "rd wr", "rd ht", "rd mm", "rd pf sd", "sd" };
	uint64_t bits = take_number(in, 4);
	struct mapping m = {
		.start = start,
		.end = start + bits % PAGES * PAGE,
		.readable = true,
		.writable = bits >> 8 & 1,
		.shared = bits >> 9 & 1,
		.inode = bits >> 10 & 1,
		.dev_minor = bits >> 11 & 1,
		.name = names[(bits >> 12) % 6],
		.flags = flags[(bits >> 16) % 6],
	};

	return m;
}

struct world {
	struct host host;
	struct mapping maps[2];
	struct snapshot s;
	int pagemap;
};

static void world_make(struct world *w, struct input *in)
{
	static uint64_t tmpfs;
	static int pagemap = -1, flags = -1, counts = -1;
	uint64_t bits = take_number(in, 1), words[2 * PAGES], frames[FRAMES];

	memset(w, 0, sizeof(*w));
	w->maps[0] = a_mapping(in, PAGE);
	w->maps[1] = a_mapping(in, w->maps[0].end);
	w->s.maps = w->maps;
	w->s.nr_maps = 2;
	for (size_t i = 0; i < FRAMES; i++)
		frames[i] = i % 16 ? 0 : take_number(in, 5);
	for (size_t i = 0; i < 2 * PAGES; i++)
		words[i] = take_number(in, 1) << 56 | take_number(in, 2);
	tmpfs = makedev(0, 1);
	w->host.page_size = PAGE;
	w->host.has_scan = bits & 1;
	w->host.sees_pfns = bits & 2;
	w->host.shmem_device = &tmpfs;
	w->host.nr_shmem_devices = 1;
	w->pagemap = file_of(&pagemap, words, sizeof(words) - bits % 8);
	w->host.kpageflags = file_of(&flags, frames, sizeof(frames) - bits / 8 * 512);
	w->host.kpagecount = bits & 4 ? file_of(&counts, frames, sizeof(frames)) : -1;
	ranges = *in;
}

void fuzz_pagemap(struct input in)
{
	struct source_error e = { .text = "" };
	struct world w;
	int failed;

	world_make(&w, &in);
	failed = pagemap_read(w.pagemap, &w.host, &w.s, &e);
	must_say(failed, e.text);
	/* Without a second source each entry is counted once. */
	for (size_t i = 0; !failed && i < w.s.nr_maps && !w.host.has_scan; i++) {
		const struct mapping *m = &w.maps[i];
		int64_t sum = 0;

		for (int c = 0; c < CLASS_COUNT; c++)
			sum += m->pagemap.of[c];
		must(sum >= 0 && sum <= (int64_t)(m->end - m->start) / PAGE);
	}
}

void fuzz_scan(struct input in)
{
	struct source_error e = { .text = "" };
	size_t vec_len = 1 + take_number(&in, 1) % VECTOR;
	struct world w;

	world_make(&w, &in);
	must_say(scan_read(w.pagemap, &w.host, vec_len, &w.s, &e), e.text);
}

static int count_words(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	(void)start;
	(void)words;
	*(size_t *)arg += n;
	return 0;
}

void fuzz_kpage(struct input in)
{
	static int file = -1;
	uint64_t content[512], pfns[64], words[64], beyond = 77;
	size_t n = take_number(&in, 1) % 64, there = take_number(&in, 2) % 512, seen = 0;
	struct world w;

	world_make(&w, &in);
	for (size_t i = 0; i < 512; i++)
		content[i] = i * i;
	for (size_t i = 0; i < n; i++)
		pfns[i] = take_number(&in, 2) % 1024;
	must(kpage_words(file_of(&file, content, there * 8), pfns, n, beyond, words) == 0);
	for (size_t i = 0; i < n; i++)
		must(words[i] == (pfns[i] < there ? pfns[i] * pfns[i] : beyond));
	pagemap_blocks(w.pagemap, &w.host, &w.maps[0], PAGEMAP_READ_ALL, count_words, &seen);
	must(seen <= PAGES);
}
