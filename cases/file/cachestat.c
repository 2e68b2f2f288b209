// SPDX-License-Identifier: MIT
/*
 * cachestat(2) of any part of a file is the sum of its pages, wherever the part begins and ends in
 * a large folio; and of each page it says what mincore(2) and the writer say.
 */
#include <inttypes.h>
#include <linux/magic.h>
#include <rssck/case.h>
#include <sys/vfs.h>

#ifndef SYS_cachestat
enum { SYS_cachestat = 451 }; /* since 6.5 */
#endif

enum { PAGES = 64, RUN = 16, PAGES_MOST = 512, TRIES = 64, ASKS = 16, PATIENCE_S = 5, FD = 0 };

/* struct cachestat of linux/mman.h, as an array. */
enum { CACHE, DIRTY, WRITEBACK, EVICTED, RECENTLY_EVICTED, NUMBERS };
static const char *const names[] = { "nr_cache", "nr_dirty", "nr_writeback", "nr_evicted",
				     "nr_recently_evicted" };

/*
 * One bit for each of these numbers: whether cachestat(2) of one page reports 1. `beyond`: what it
 * reports from the last page on, because a large folio may reach beyond the end of its file.
 */
struct marks {
	unsigned char of[PAGES_MOST];
	uint64_t beyond[NUMBERS];
};

static void ask(struct workload *w, size_t offset, size_t bytes, uint64_t n[NUMBERS])
{
	const uint64_t range[] = { offset, bytes };

	workload_must(w, syscall(SYS_cachestat, w->fd[FD], range, n, 0), "cachestat(2)");
}

static void read_marks(struct workload *w, size_t pages, struct marks *m)
{
	uint64_t n[NUMBERS];

	memset(m, 0, sizeof(*m));
	for (size_t i = 0; i < pages; i++) {
		ask(w, i * w->page_size, w->page_size, n);
		for (int k = 0; k < NUMBERS; k++) {
			if (n[k] > 1)
				workload_fail(w, "cachestat(2) of page %zu alone: %s is %" PRIu64,
					      i, names[k], n[k]);
			m->of[i] |= (unsigned char)(n[k] << k);
		}
	}
	ask(w, pages * w->page_size, 0, m->beyond);
}

/* The first range whose number is not the sum of its pages. */
struct wrong {
	size_t offset, bytes;
	uint64_t seen, sum;
	const char *name; /* NULL if all are right */
};

static uint64_t sum_of(const struct marks *m, size_t first, size_t end, int number)
{
	uint64_t sum = 0;

	for (size_t i = first; i < end; i++)
		sum += m->of[i] >> number & 1;
	return sum;
}

/*
 * Asks again if an answer is wrong, because a range that begins inside a large folio loses pages
 * when the walk is paused to reschedule: xas_pause() adds the folio's length to an index that is
 * not the folio's first (finding 58). An answer that is always wrong is another error.
 */
static void ask_range(struct workload *w, const struct marks *m, size_t pages, size_t offset,
		      size_t bytes, struct wrong *wrong)
{
	size_t end = bytes ? (offset + bytes - 1) / w->page_size + 1 : pages;
	struct wrong now = { .name = NULL };

	for (int i = 0; i < ASKS; i++) {
		uint64_t n[NUMBERS];

		ask(w, offset, bytes, n);
		now.name = NULL;
		for (int k = 0; k < NUMBERS && !now.name; k++) {
			uint64_t sum = sum_of(m, offset / w->page_size, end, k) +
				       (bytes ? 0 : m->beyond[k]);

			if (n[k] != sum)
				now = (struct wrong) { offset, bytes, n[k], sum, names[k] };
		}
		if (!now.name)
			return;
	}
	if (!wrong->name)
		*wrong = now;
}

/*
 * Asks for all ranges of a small file, and for some of a large one; also for ranges that begin and
 * end inside a page, and for those without an end.
 */
static struct wrong ask_ranges(struct workload *w, const struct marks *m, size_t pages)
{
	size_t stride = pages > PAGES ? 13 : 1, page = w->page_size;
	struct wrong wrong = { .name = NULL };

	for (size_t i = 0; i < pages; i += stride) {
		for (size_t end = i + 1; end <= pages; end += stride) {
			ask_range(w, m, pages, i * page, (end - i) * page, &wrong);
			ask_range(w, m, pages, i * page + 1, (end - i) * page - 2, &wrong);
		}
		ask_range(w, m, pages, i * page, 0, &wrong);
	}
	return wrong;
}

static void ask_mincore(struct workload *w, size_t pages, unsigned char in_core[PAGES_MOST])
{
	char *p = workload_map(w, pages * w->page_size, PROT_READ, MAP_SHARED, w->fd[FD], 0);

	workload_must(w, mincore(p, pages * w->page_size, in_core), "mincore");
	workload_unmap(w, p, pages * w->page_size);
}

/* Runs of pages written by one call, pages written alone, and holes. */
static bool is_written(size_t page)
{
	return page < RUN || (page < 2 * RUN && page % 2 == 0) || page >= 3 * RUN;
}

static void write_parts(struct workload *w)
{
	size_t page = w->page_size, most = WORKLOAD_BUFFER / page;

	for (size_t i = 0, n; i < PAGES; i += n ? n : 1) {
		for (n = 0; i + n < PAGES && n < most && is_written(i + n); n++)
			;
		if (n && pwrite(w->fd[FD], workload_buffer, n * page, (off_t)(i * page)) !=
				 (ssize_t)(n * page))
			workload_die(w, "pwrite: %m");
	}
}

/*
 * Each page must be cached if mincore(2) says so. For evicted shmem mincore(2) tells whether the
 * page is in the swap cache, which is not the file's.
 */
static void check_pages(struct workload *w, size_t pages, const struct marks *m,
			const unsigned char in_core[PAGES_MOST])
{
	for (size_t i = 0; i < pages; i++) {
		bool cached = m->of[i] >> CACHE & 1, evicted = m->of[i] >> EVICTED & 1;

		if (!evicted && cached != (in_core[i] & 1))
			workload_fail(
				w, "page %zu: cachestat(2) has %d in nr_cache, but mincore(2) %d",
				i, cached, in_core[i] & 1);
		if (cached && evicted)
			workload_fail(w, "page %zu is in both nr_cache and nr_evicted", i);
	}
}

/*
 * Reads the marks of all pages before and after the rest, because reclaim and writeback may change
 * them. Only what is read between equal marks counts. Sets *m to these marks.
 */
static void check(struct workload *w, size_t pages, struct marks *m)
{
	unsigned char in_core[PAGES_MOST];
	struct marks after;

	for (int i = 0; i < TRIES; i++) {
		struct wrong wrong;

		read_marks(w, pages, m);
		ask_mincore(w, pages, in_core);
		wrong = ask_ranges(w, m, pages);
		read_marks(w, pages, &after);
		if (memcmp(m, &after, sizeof(after)) != 0)
			continue;
		if (wrong.name)
			workload_fail(w,
				      "cachestat(2) of %zu bytes from %zu on: %s is %" PRIu64
				      ", but the sum of its pages is %" PRIu64,
				      wrong.bytes, wrong.offset, wrong.name, wrong.seen, wrong.sum);
		check_pages(w, pages, m, in_core);
		workload_checked(w);
		return;
	}
	workload_skip_step(w, "a machine that leaves the pages of a file alone");
}

static int64_t count(const struct marks *m, int number)
{
	int64_t n = 0;

	for (size_t i = 0; i < PAGES_MOST; i++)
		n += m->of[i] >> number & 1;
	return n;
}

static void small_folios(struct workload *w)
{
	struct marks m;

	w->fd[FD] = workload_shmem(w, PAGES);
	write_parts(w);
	check(w, PAGES, &m);
}

static char *make_huge(struct workload *w)
{
	struct patience patience = { .seconds = PATIENCE_S };
	char *p;

	if (!w->huge || w->huge > PAGES_MOST)
		workload_skip_step(w, "transparent huge pages of at most %d pages", PAGES_MOST);
	w->fd[FD] = workload_shmem(w, (size_t)w->huge);
	p = workload_huge_map(w, 1, w->fd[FD]);
	touch_write(w, p, (size_t)w->huge);
	while (madvise(p, w->huge_page_size, MADV_COLLAPSE) < 0)
		if (!workload_pause(&patience))
			workload_skip_step(w, "MADV_COLLAPSE of shmem: %m");
	return p;
}

static void huge_folio(struct workload *w)
{
	char *p = make_huge(w);
	struct marks m;

	check(w, (size_t)w->huge, &m);
	workload_unmap(w, p, w->huge_page_size);
}

/* Each written page of shmem is in the page cache or on swap. */
static void check_on_swap(struct workload *w, size_t pages)
{
	struct marks m;

	check(w, pages, &m);
	if (count(&m, CACHE) + count(&m, EVICTED) != (int64_t)pages)
		workload_fail(w,
			      "%zu pages of shmem were written, but nr_cache is %" PRId64
			      " and nr_evicted %" PRId64,
			      pages, count(&m, CACHE), count(&m, EVICTED));
	if (!count(&m, EVICTED))
		workload_skip_step(w, "swap that takes shmem");
}

static void paged_out(struct workload *w)
{
	char *p;

	w->fd[FD] = workload_shmem(w, PAGES);
	p = workload_shared(w, PAGES, w->fd[FD]);
	touch_write(w, p, PAGES);
	workload_page_out_shmem(w, p, PAGES);
	check_on_swap(w, PAGES);
	workload_unmap(w, p, PAGES * w->page_size);
}

/* Swap may take only some pages of the huge page. */
static void huge_paged_out(struct workload *w)
{
	struct patience patience = { .seconds = PATIENCE_S };
	size_t pages = (size_t)w->huge;
	char area[256], *p;

	if (!workload_swap_area(area, sizeof(area)))
		workload_skip_step(w, "swap (/proc/swaps is empty)");
	p = make_huge(w);
	do
		workload_advise(w, p, w->huge_page_size, MADV_PAGEOUT);
	while (!workload_pages_in_swap(w, p) && workload_pause(&patience));
	check_on_swap(w, pages);
	workload_unmap(w, p, w->huge_page_size);
}

/*
 * Returns how many pages nr_dirty counts in the file; smaps, of a mapping of all its pages, must
 * count as many. Writeback may start in between, so one reading that agrees is enough.
 */
static int64_t check_dirty(struct workload *w)
{
	char *p = workload_shared(w, PAGES, w->fd[FD]);
	int64_t in_smaps = 0, dirty = -1;
	struct marks m;

	touch_read(w, p, PAGES);
	for (int i = 0; i < TRIES && dirty != in_smaps; i++) {
		read_marks(w, PAGES, &m);
		dirty = count(&m, DIRTY);
		in_smaps = PAGES - workload_pages_clean(w, p);
	}
	if (dirty != in_smaps)
		workload_fail(w,
			      "nr_dirty is %" PRId64 ", but smaps counts %" PRId64 " dirty pages",
			      dirty, in_smaps);
	workload_unmap(w, p, PAGES * w->page_size);
	workload_checked(w);
	return dirty;
}

/* The pages of a file of an overlay are cached by the file system below it. */
static void need_own_cache(struct workload *w)
{
	struct statfs fs;

	workload_must(w, fstatfs(w->fd[FD], &fs), "fstatfs");
	if (fs.f_type == OVERLAYFS_SUPER_MAGIC)
		workload_skip_step(w,
				   "a file system that caches its own files (this is an overlay)");
}

static void real_file(struct workload *w)
{
	struct marks m;

	w->fd[FD] = workload_file(w, PAGES);
	need_own_cache(w);
	workload_needs_lazy_writes(w, w->fd[FD]);
	workload_needs_writeback(w, w->fd[FD]);
	write_parts(w);
	check(w, PAGES, &m);
	for (size_t i = 0; i < PAGES; i++)
		if (is_written(i) && !(m.of[i] >> CACHE & 1))
			workload_skip_step(w, "a file system that caches what is written");
	if (!check_dirty(w))
		workload_skip_step(w, "a file system that writes back later");
	check(w, PAGES, &m);
	workload_must(w, fdatasync(w->fd[FD]), "fdatasync");
	check(w, PAGES, &m);
	if (check_dirty(w) || count(&m, WRITEBACK))
		workload_fail(w, "pages are in nr_dirty or nr_writeback after fdatasync(2)");
}

CASE(file_cachestat) {
	.claim =
		"cachestat(2) of any part of a file counts the sum of the part's pages, even if the part begins or ends in a large folio; nr_cache agrees with mincore(2), nr_dirty with smaps, and nr_cache + nr_evicted with the written pages of a memfd",
	.because = "filemap_cachestat() counts a folio, or an entry of an evicted one, at once, "
		   "and subtracts the pages before and after the part.",
	.said_by = SAID_BY("commit cf264e1329fb (6.5)", "mincore(2)"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("a memfd with holes", small_folios, .checks = 1),
		       STEP("a memfd in a huge page", huge_folio, .checks = 1),
		       STEP("a memfd on swap", paged_out, .checks = 1),
		       STEP("a huge page on swap", huge_paged_out, .checks = 1),
		       STEP("a file on disk", real_file, .checks = 5)),
};
