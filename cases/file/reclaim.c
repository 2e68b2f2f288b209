// SPDX-License-Identifier: MIT
/* Reclaim removes clean file pages, and lazily freed ones, from RES. */
#include <rssck/case.h>

enum { PAGES = 256, FILE_PAGES = 0, ANON = 1, LARGE = 2, SCRATCH = 3 };

static void map(struct workload *w)
{
	w->slot[FILE_PAGES] = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE,
						 workload_file(w, PAGES));
	touch_read(w, w->slot[FILE_PAGES], PAGES);
	w->slot[ANON] = workload_written(w, PAGES);
	w->slot[SCRATCH] = workload_anonymous(w, 1);
}

/* Reclaim skips a page that is in use at that moment, or that waits in a batch. */
static void page_out(struct workload *w)
{
	void *p = w->slot[w->step->slot];
	struct patience patience = { .seconds = 2 };
	int64_t left;

	if (!p)
		workload_skip_step(w, "the previous step");
	do {
		if (madvise(p, PAGES * w->page_size, MADV_PAGEOUT) < 0)
			workload_skip_step(w, "MADV_PAGEOUT (Linux 5.4): %m");
		left = workload_pages_present(w, p, PAGES);
	} while (left && workload_pause(&patience));
	if (left == PAGES)
		workload_skip_step(w, "a file system whose pages are reclaimed");
	if (left)
		workload_skip(w, "reclaim that takes all pages (%lld of %d are left)",
			      (long long)left, PAGES);
}

/* One write(2) of a whole file fills the cache with large folios, if its file system makes them. */
static void map_large(struct workload *w)
{
	int fd = workload_file(w, PAGES);

	workload_needs_writeback(w, fd);
	if (pwrite(fd, w->slot[ANON], PAGES * w->page_size, 0) < 0 || fsync(fd) < 0)
		workload_die(w, "a file that was just made could not be written or synced: %m");
	w->slot[LARGE] = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE, fd);
	touch_read(w, w->slot[LARGE], PAGES);
}

/* As in anonymous/madv_free: drains this CPU's batch of pages to be marked. */
static void drain(struct workload *w)
{
	touch_write(w, w->slot[SCRATCH], 1);
	madvise(w->slot[SCRATCH], w->page_size, MADV_DONTNEED);
	madvise(w->slot[SCRATCH], w->page_size, MADV_COLD);
}

static void lazy_free(struct workload *w)
{
	drain(w);
	if (madvise(w->slot[ANON], PAGES * w->page_size, MADV_FREE) < 0)
		workload_skip(w, "MADV_FREE: %m");
	drain(w);
	workload_reclaim(w, w->slot[ANON], PAGES);
}

CASE(file_reclaim) {
	.claim = "Reclaim takes clean file pages and MADV_FREE pages out of RES; every counter "
		 "follows",
	.because = "try_to_unmap_one() lowers the counter of the page's class for each entry it "
		   "takes away.",
	.said_by = SAID_BY("madvise(2), MADV_PAGEOUT"),
	.steps = STEPS(STEP("map and touch", map,
			    MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES), VIRT_DATA(PAGES),
				  ANON_WRITE(PAGES), VIRT_DATA(1))),
		       STEP("page out the file", page_out, .slot = FILE_PAGES,
			    MOVES(FILE_READ(-PAGES))),
		       STEP("map a file that was written", map_large,
			    MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		       STEP("page it out", page_out, .slot = LARGE, MOVES(FILE_READ(-PAGES))),
		       STEP("lazily free and page out", lazy_free, MOVES(ANON_WRITE(-PAGES))),
		       STEP("read what was freed", step_read, .slot = ANON, .pages = PAGES,
			    MOVES(ZERO_READ(PAGES)))),
};
