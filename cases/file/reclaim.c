// SPDX-License-Identifier: MIT
/* Reclaim takes clean file pages, and lazily freed ones, out of RES. */
#include <rssck/case.h>
#include <unistd.h>

enum { PAGES = 256, FILE_PAGES = 0, ANON = 1, LARGE = 2 };

static void map(struct workload *w)
{
	w->slot[FILE_PAGES] = workload_map(w, PAGES * w->page_size, PROT_READ, MAP_PRIVATE,
					   workload_file(w, PAGES), 0);
	touch_read(w, w->slot[FILE_PAGES], PAGES);
	w->slot[ANON] = workload_written(w, PAGES);
}

static void page_out(struct workload *w)
{
	if (madvise(w->slot[w->step->slot], PAGES * w->page_size, MADV_PAGEOUT) < 0)
		workload_skip_step(w, "MADV_PAGEOUT: %m");
}

/* Written at once a file is cached in large folios, where its file system makes them. */
static void map_large(struct workload *w)
{
	int fd = workload_file(w, PAGES);

	if (pwrite(fd, w->slot[ANON], PAGES * w->page_size, 0) < 0 || fsync(fd) < 0)
		workload_die(w,
			     "write of a file that was just made: %m (is there room in $TMPDIR?)");
	w->slot[LARGE] = workload_map(w, PAGES * w->page_size, PROT_READ, MAP_PRIVATE, fd, 0);
	touch_read(w, w->slot[LARGE], PAGES);
}

static void lazy_free(struct workload *w)
{
	for (int i = 0; i < 2; i++)
		madvise(w->slot[ANON], PAGES * w->page_size, MADV_FREE);
	page_out(w);
}

static void read_again(struct workload *w)
{
	touch_read(w, w->slot[FILE_PAGES], PAGES);
	touch_read(w, w->slot[ANON], PAGES);
}

CASE(file_reclaim) {
	.claim = "Reclaim takes clean file pages and MADV_FREE pages out of RES; every counter "
		 "follows",
	.because = "try_to_unmap_one() lowers the counter of the page's class for each entry it "
		   "takes away.",
	.said_by = SAID_BY("madvise(2), MADV_PAGEOUT"),
	.steps = STEPS(
		STEP("map and touch", map,
		     MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES), VIRT_DATA(PAGES),
			   ANON_WRITE(PAGES))),
		STEP("page out the file", page_out, .slot = FILE_PAGES, .flags = STEP_ANY_PAGES),
		STEP("map a file that was written", map_large, .flags = STEP_ANY_PAGES),
		STEP("page it out", page_out, .slot = LARGE, .flags = STEP_ANY_PAGES),
		STEP("lazily free and page out", lazy_free, .slot = ANON, .flags = STEP_ANY_PAGES),
		STEP("read again", read_again, .flags = STEP_ANY_PAGES)),
};
