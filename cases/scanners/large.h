// SPDX-License-Identifier: MIT
/*
 * A mapping that is larger than the buffers of the kernel's readers. Its pattern of pages has a
 * period that is not a power of two.
 */
#ifndef CASES_SCANNERS_LARGE_H
#define CASES_SCANNERS_LARGE_H

#include <rssck/case.h>

/*
 * The largest buffer is that of mincore(2): one byte for each page, in one page. The answers of a
 * step go to LARGE_ANSWERS, which is mapped with the pages, so that no step maps memory itself.
 */
enum { LARGE_PAGES, LARGE_ANSWERS, LARGE_BYTES = 16, LARGE_TRIES = 5 };

static inline size_t large_pages(const struct workload *w)
{
	return 3 * w->page_size + 5;
}

static inline size_t large_answer_pages(const struct workload *w)
{
	return LARGE_BYTES * large_pages(w) / w->page_size + 1;
}

/* One page of eight; with pages of 64 KiB one of 128. */
static inline bool large_is_written(const struct workload *w, size_t page)
{
	uint64_t x = (page + 1) * 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9ULL;
	return !((x >> 40) % (w->page_size / 512));
}

static inline char *large_page(const struct workload *w, size_t page)
{
	return (char *)w->slot[LARGE_PAGES] + page * w->page_size;
}

static inline void large_map(struct workload *w)
{
	size_t pages = large_pages(w), answers = large_answer_pages(w);
	int64_t written = 0;

	w->slot[LARGE_PAGES] = workload_anonymous(w, pages);
	w->slot[LARGE_ANSWERS] = workload_written(w, answers);
	for (size_t i = 0; i < pages; i++)
		if (large_is_written(w, i)) {
			touch_write(w, large_page(w, i), 1);
			written++;
		}
	workload_expect(w, VIRT_DATA((int64_t)(pages + answers)),
			ANON_WRITE(written + (int64_t)answers));
}

/* Reads the entry of one page of pagemap. */
static inline uint64_t large_entry(struct workload *w, int pagemap, size_t page)
{
	uint64_t entry;

	if (pread(pagemap, &entry, 8, (off_t)((uintptr_t)large_page(w, page) / w->page_size * 8)) !=
	    8)
		workload_die(w, "pagemap: %m");
	return entry;
}

/*
 * Fails because a call for all pages is wrong about one; skips the step if this page was paged out.
 */
static inline _Noreturn void large_wrong(struct workload *w, const char *what, size_t page,
					 bool says)
{
	int fd = workload_open_pagemap(w);

	if (large_entry(w, fd, page) & PAGEMAP_SWAP)
		workload_skip_step(w, "memory that is not paged out meanwhile");
	workload_fail(w, "%s of %zu pages in one call: page %zu, which is %s, is %spresent", what,
		      large_pages(w), page, large_is_written(w, page) ? "written" : "untouched",
		      says ? "" : "not ");
}

#endif
