// SPDX-License-Identifier: MIT
/* Reclaim removes clean file pages and MADV_FREE pages from RES. */
#include "../anonymous/drain.h"

enum { PAGES = 256, FILE_PAGES = 0, ANON = 1, LARGE = 2, SCRATCH = 3 };

static void map(struct workload *w)
{
	w->slot[FILE_PAGES] = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE,
						 workload_file(w, PAGES));
	touch_read(w, w->slot[FILE_PAGES], PAGES);
	w->slot[ANON] = workload_written(w, PAGES);
	w->slot[SCRATCH] = workload_anonymous(w, 1);
}

/* Repeats MADV_PAGEOUT, because reclaim skips a page that is in use or still in a per-CPU batch. */
static void page_out(struct workload *w)
{
	void *p = w->slot[w->step->slot];
	struct patience patience = { .seconds = 2 };
	int64_t left;

	if (!p)
		workload_skip_step(w, "the memory of an earlier step, which was skipped");
	do {
		if (madvise(p, PAGES * w->page_size, MADV_PAGEOUT) < 0)
			workload_skip_step(w, "MADV_PAGEOUT (Linux 5.4): %m");
		left = workload_pages_present(w, p, PAGES);
	} while (left && workload_pause(&patience));
	if (left == PAGES)
		workload_skip_step(w, "a file system whose page cache MADV_PAGEOUT reclaims");
	if (left)
		workload_skip(w, "reclaim that takes all pages (%lld of %d remain)",
			      (long long)left, PAGES);
}

/*
 * Writes the whole file in one pwrite(2), so that the cache has large folios if the file system
 * makes them.
 */
static void map_large(struct workload *w)
{
	int fd = workload_file(w, PAGES);

	workload_needs_writeback(w, fd);
	if (pwrite(fd, w->slot[ANON], PAGES * w->page_size, 0) < 0 || fsync(fd) < 0)
		workload_die(w, "writing or syncing a new file failed: %m");
	w->slot[LARGE] = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE, fd);
	touch_read(w, w->slot[LARGE], PAGES);
}

static void lazy_free(struct workload *w)
{
	drain(w, w->slot[SCRATCH]);
	workload_advise(w, w->slot[ANON], PAGES * w->page_size, MADV_FREE);
	drain(w, w->slot[SCRATCH]);
	workload_reclaim(w, w->slot[ANON], PAGES);
}

CASE(file_reclaim) {
	.claim = "Reclaim removes clean file pages from RssFile and MADV_FREE pages from RssAnon; "
		 "each counter falls by exactly the pages removed",
	.because =
		"try_to_unmap_one() lowers the counter of the page's class for each entry that it clears.",
	.said_by = SAID_BY("madvise(2), MADV_PAGEOUT"),
	.steps = STEPS(
		STEP("map and touch", map,
		     MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES), VIRT_DATA(PAGES), ANON_WRITE(PAGES),
			   VIRT_DATA(1))),
		STEP("page out the file", page_out, .slot = FILE_PAGES, MOVES(FILE_READ(-PAGES))),
		STEP("map a written file", map_large, MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		STEP("page out that file", page_out, .slot = LARGE, MOVES(FILE_READ(-PAGES))),
		STEP("MADV_FREE and page out", lazy_free, MOVES(ANON_WRITE(-PAGES))),
		STEP("read what was freed", step_read, .slot = ANON, .pages = PAGES,
		     MOVES(ZERO_READ(PAGES)))),
};
