// SPDX-License-Identifier: MIT
/*
 * One call for more pages than the kernel's buffer holds gives the same answers as one call for
 * each page: mincore(2), pagemap, move_pages(2), process_vm_readv(2), cachestat(2), /proc/kpage*.
 */
#include "large.h"
#include <sys/uio.h>

#ifndef SYS_cachestat
enum { SYS_cachestat = 451 }; /* since 6.5 */
#endif

enum { FD = 0, RANGES = 64, VECTORS = 1024, ENTRY = sizeof(uint64_t) };

static void ask_mincore(struct workload *w)
{
	size_t pages = large_pages(w);
	unsigned char *answers = w->slot[LARGE_ANSWERS];

	workload_must(w, mincore(large_page(w, 0), pages * w->page_size, answers), "mincore");
	for (size_t i = 0; i < pages; i++)
		if ((answers[i] & 1) != large_is_written(w, i))
			large_wrong(w, "mincore(2)", i, answers[i] & 1);
	workload_checked(w);
}

/* Returns true if the entries read in one call are those of single reads. */
static bool entries_agree(struct workload *w, int fd, const uint64_t *entries, size_t *page)
{
	for (size_t i = 0; i < large_pages(w); i++)
		if (large_entry(w, fd, i) != entries[i]) {
			*page = i;
			return false;
		}
	return true;
}

/* The kernel may move a page to another frame between two reads, but not each time. */
static void read_pagemap(struct workload *w)
{
	size_t pages = large_pages(w), bytes = pages * ENTRY, page = 0;
	off_t at = (off_t)((uintptr_t)large_page(w, 0) / w->page_size * ENTRY);
	uint64_t *entries = w->slot[LARGE_ANSWERS];
	int fd = workload_open_pagemap(w), tries = 0;

	do {
		if (tries++ == LARGE_TRIES)
			workload_fail(w,
				      "a read of %zu entries of pagemap has %#llx for page %zu, a "
				      "read of this entry alone %#llx",
				      pages, (unsigned long long)entries[page], page,
				      (unsigned long long)large_entry(w, fd, page));
		if (pread(fd, entries, bytes, at) != (ssize_t)bytes)
			workload_fail(w, "a read of %zu entries of pagemap is cut short", pages);
	} while (!entries_agree(w, fd, entries, &page));
	for (size_t i = 0; i < pages; i++)
		if (!!(entries[i] & PAGEMAP_PRESENT) != large_is_written(w, i))
			large_wrong(w, "pagemap", i, entries[i] & PAGEMAP_PRESENT);
	close(fd);
	workload_checked(w);
}

/* move_pages(2) without nodes returns the node of each page, or a negative errno. */
static bool ask_nodes(size_t pages, void *const *of, int *nodes)
{
	return syscall(SYS_move_pages, 0, pages, of, NULL, nodes, 0) == 0;
}

static void ask_move_pages(struct workload *w)
{
	size_t pages = large_pages(w), wrong, i;
	void **of = w->slot[LARGE_ANSWERS];
	int *nodes = (int *)(of + pages), alone, tries = 0;

	for (i = 0; i < pages; i++)
		of[i] = large_page(w, i);
	do {
		if (!ask_nodes(pages, of, nodes))
			workload_skip_step(w, "move_pages(2): %m");
		for (wrong = pages, i = 0; i < pages && wrong == pages; i++)
			if (!ask_nodes(1, of + i, &alone) || alone != nodes[i])
				wrong = i;
	} while (wrong < pages && ++tries < LARGE_TRIES);
	if (wrong < pages)
		workload_fail(w,
			      "move_pages(2) of %zu pages returns %d for page %zu, but %d if asked "
			      "for this page alone",
			      pages, nodes[wrong], wrong, alone);
	for (i = 0; i < pages; i++)
		if ((nodes[i] >= 0) != large_is_written(w, i))
			large_wrong(w, "move_pages(2)", i, nodes[i] >= 0);
	workload_checked(w);
}

/* Writes the same pages of a memfd. */
static void write_memfd(struct workload *w)
{
	w->fd[FD] = workload_shmem(w, large_pages(w));
	for (size_t i = 0; i < large_pages(w); i++)
		if (large_is_written(w, i) &&
		    pwrite(w->fd[FD], workload_buffer, w->page_size, (off_t)(i * w->page_size)) !=
			    (ssize_t)w->page_size)
			workload_die(w, "pwrite: %m");
}

/*
 * No page table has these pages, so mincore(2) looks at the page cache. A page on swap is not in
 * core, and a huge page has more pages than those that were written.
 */
static void ask_mincore_of_memfd(struct workload *w)
{
	size_t pages = large_pages(w), bytes = pages * w->page_size;
	unsigned char *answers = w->slot[LARGE_ANSWERS], alone;
	char *p;

	write_memfd(w);
	p = workload_map(w, bytes, PROT_READ, MAP_SHARED, w->fd[FD], 0);
	workload_must(w, mincore(p, bytes, answers), "mincore");
	for (size_t i = 0; i < pages; i++) {
		if ((answers[i] & 1) == large_is_written(w, i))
			continue;
		workload_must(w, mincore(p + i * w->page_size, w->page_size, &alone), "mincore");
		if ((alone & 1) == (answers[i] & 1))
			workload_skip_step(w, "a memfd of small pages that are not paged out");
		workload_fail(w,
			      "mincore(2) of %zu pages of a memfd in one call: page %zu, which is "
			      "%s, is %sresident",
			      pages, i, large_is_written(w, i) ? "written" : "a hole",
			      answers[i] & 1 ? "" : "not ");
	}
	workload_unmap(w, p, bytes);
	workload_checked(w);
}

/* Returns how many pages of the range cachestat(2) counts, in memory or evicted. */
static int64_t cached(struct workload *w, size_t first, size_t pages)
{
	const uint64_t range[] = { first * w->page_size, pages * w->page_size };
	uint64_t n[5];

	if (syscall(SYS_cachestat, w->fd[FD], range, n, 0))
		workload_skip_step(w, "cachestat(2): %m");
	return (int64_t)(n[0] + n[3]);
}

/* The ranges begin and end anywhere in nodes of the page cache's tree, and cross many. */
static void ask_cachestat(struct workload *w)
{
	size_t pages = large_pages(w);

	for (size_t i = 0; i < pages; i++)
		if (cached(w, i, 1) != large_is_written(w, i))
			workload_skip_step(w, "a memfd of small pages");
	for (size_t k = 0; k < RANGES; k++) {
		size_t first = k * k * k % pages / 2, end = pages - k * k * 3 % (pages / 2);
		int64_t written = 0, seen = cached(w, first, end - first);

		for (size_t i = first; i < end; i++)
			written += large_is_written(w, i);
		if (seen != written)
			workload_fail(w,
				      "cachestat(2) counts %lld pages among pages %zu to %zu of a "
				      "memfd, of which %lld are written",
				      (long long)seen, first, end, (long long)written);
	}
	workload_checked(w);
}

/* process_vm_readv(2) of as many pages as one call takes (UIO_MAXIOV). */
static void copy_pages(struct workload *w)
{
	static struct iovec from[VECTORS];
	uint64_t *answers = w->slot[LARGE_ANSWERS];
	struct iovec to = { answers, sizeof(*answers) * VECTORS };
	ssize_t n;

	for (size_t i = 0, k = 0; i < large_pages(w) && k < VECTORS; i++)
		if (large_is_written(w, i)) {
			memcpy(large_page(w, i), &i, sizeof(i));
			from[k++] = (struct iovec) { large_page(w, i), sizeof(*answers) };
		}
	n = process_vm_readv(getpid(), &to, 1, from, VECTORS, 0);
	if (n < 0)
		workload_skip_step(w, "process_vm_readv(2): %m");
	for (size_t k = 0; k < VECTORS; k++)
		if ((size_t)n != to.iov_len || memcmp(from[k].iov_base, &answers[k], ENTRY) != 0)
			workload_fail(w,
				      "process_vm_readv(2) of %d pages copied %zd bytes, or the "
				      "wrong ones from page %zu",
				      VECTORS, n, k);
	workload_checked(w);
}

/* ---- files of page frames ---- */

/* Bits of kpageflags that the page alone decides: KPF_MMAP, KPF_ANON, KPF_SWAPBACKED. */
enum { KEPT_FLAGS = 1 << 11 | 1 << 12 | 1 << 14 };

static const struct frame_file {
	const char *path;
	uint64_t compared;  /* bits that two reads must agree on */
	uint64_t known, is; /* bits that are known for a private page that was written */
} of_frames[] = {
	{ "/proc/kpagecount", ~0ULL, ~0ULL, 1 },
	{ "/proc/kpageflags", KEPT_FLAGS, KEPT_FLAGS, KEPT_FLAGS },
	{ "/proc/kpagecgroup", ~0ULL, 0, 0 },
};

enum { FRAME_FILES = sizeof(of_frames) / sizeof(*of_frames) };

/* Reads the frames of the written pages, 0 for those that are not present. */
static void read_frames(struct workload *w, uint64_t *frames)
{
	int fd = workload_open_pagemap(w);

	for (size_t i = 0; i < large_pages(w); i++) {
		uint64_t entry = large_is_written(w, i) ? large_entry(w, fd, i) : 0;

		frames[i] = entry & PAGEMAP_PRESENT ? PAGEMAP_PFN(entry) : 0;
	}
	close(fd);
}

/* Returns how many of the process's frames are in the range that one read returns. */
static size_t frames_from(const uint64_t *frames, size_t pages, uint64_t first)
{
	size_t n = 0;

	for (size_t i = 0; i < pages; i++)
		n += frames[i] >= first && frames[i] < first + pages;
	return n;
}

/* Finds the range of frames with most of the process's own. */
static uint64_t fullest_range(const uint64_t *frames, size_t pages)
{
	uint64_t best = 0;
	size_t most = 0, tried = 0;

	for (size_t i = 0; i < pages && tried < RANGES; i++) {
		size_t n = frames[i] ? frames_from(frames, pages, frames[i]) : 0;

		tried += !!n;
		if (n > most) {
			most = n;
			best = frames[i];
		}
	}
	return most > 1 ? best : 0;
}

/*
 * Reads many frames in one call, and then each frame of the process alone. Returns false if a page
 * has moved, or if the two reads differ; *page is then the page.
 */
static bool frames_agree(struct workload *w, const struct frame_file *f, const uint64_t *frames,
			 uint64_t first, size_t *page)
{
	size_t pages = large_pages(w), got;
	uint64_t *all = (uint64_t *)w->slot[LARGE_ANSWERS] + pages, alone;
	int fd = open(f->path, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = pread(fd, all, pages * ENTRY, (off_t)(first * ENTRY));
	bool agree = true;

	got = bytes > 0 ? (size_t)bytes / ENTRY : 0;
	for (size_t i = 0; i < pages && agree; i++) {
		if (frames[i] < first || frames[i] - first >= got)
			continue;
		*page = i;
		if (pread(fd, &alone, ENTRY, (off_t)(frames[i] * ENTRY)) != ENTRY)
			workload_die(w, "%s: %m", f->path);
		agree = !((all[frames[i] - first] ^ alone) & f->compared) &&
			(alone & f->known) == f->is;
	}
	close(fd);
	return agree && got > 1;
}

static void read_kpage(struct workload *w)
{
	uint64_t *frames = w->slot[LARGE_ANSWERS], first;
	int files = 0;

	for (size_t k = 0; k < FRAME_FILES; k++) {
		int tries = 0, fd = open(of_frames[k].path, O_RDONLY | O_CLOEXEC);
		size_t page = 0;

		if (fd < 0)
			continue;
		close(fd);
		do {
			if (tries++ == LARGE_TRIES)
				workload_fail(w,
					      "%s: one read of many frames is wrong about the "
					      "frame of page %zu, or differs from a read of this "
					      "frame alone",
					      of_frames[k].path, page);
			read_frames(w, frames);
			first = fullest_range(frames, large_pages(w));
			if (!first)
				workload_skip_step(w, "own page frames that are visible");
		} while (!frames_agree(w, &of_frames[k], frames, first, &page));
		files++;
	}
	if (!files)
		workload_skip_step(w, "/proc/kpagecount: %m");
	workload_checked(w);
}

CASE(scanners_large_range) {
	.claim =
		"One call of mincore(2), move_pages(2), process_vm_readv(2) or cachestat(2), or one read of pagemap, kpagecount, kpageflags or kpagecgroup, gives each page of a large range its own answer",
	.because = "The kernel answers for a large range in parts: mincore(2) in parts of one byte "
		   "for each page of a page-sized buffer, pagemap in parts of PAGEMAP_WALK_SIZE, "
		   "move_pages(2) in parts of 16 pages, cachestat(2) by nodes of the page cache's "
		   "tree. If a part began at the wrong page, the pattern of written pages, which "
		   "repeats with no power of two, would shift.",
	.said_by = SAID_BY("mincore(2)", "move_pages(2)",
			   "Documentation/admin-guide/mm/pagemap.rst"),
	.steps = STEPS(STEP("write some pages of a large mapping", large_map),
		       STEP("ask mincore(2) once", ask_mincore, .checks = 1),
		       STEP("read pagemap once", read_pagemap, .checks = 1),
		       STEP("ask move_pages(2) once", ask_move_pages, .checks = 1),
		       STEP("copy from many pages", copy_pages, .checks = 1),
		       STEP("read kpagecount, kpageflags and kpagecgroup", read_kpage, .checks = 1),
		       STEP("ask mincore(2) for a memfd", ask_mincore_of_memfd, .checks = 1),
		       STEP("ask cachestat(2)", ask_cachestat, .checks = 1)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
};
