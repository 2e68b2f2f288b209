// SPDX-License-Identifier: MIT
/* Reclaim takes clean file pages, and lazily freed ones, out of RES. */
#include <rssck/case.h>

enum { PAGES = 256, FILE_PAGES = 0, ANON = 1 };

static void map(struct workload *w)
{
	w->slot[FILE_PAGES] = workload_map(w, PAGES * w->page_size, PROT_READ, MAP_PRIVATE,
					   workload_file(w, PAGES), 0);
	touch_read(w, w->slot[FILE_PAGES], PAGES);
	w->slot[ANON] = workload_written(w, PAGES);
}

static void page_out(struct workload *w, int which)
{
	if (madvise(w->slot[which], PAGES * w->page_size, MADV_PAGEOUT) < 0)
		workload_skip_step(w, "MADV_PAGEOUT: %m");
}

static void page_out_file(struct workload *w)
{
	page_out(w, FILE_PAGES);
}

static void lazy_free(struct workload *w)
{
	for (int i = 0; i < 2; i++)
		madvise(w->slot[ANON], PAGES * w->page_size, MADV_FREE);
	page_out(w, ANON);
}

static void read_again(struct workload *w)
{
	touch_read(w, w->slot[FILE_PAGES], PAGES);
	touch_read(w, w->slot[ANON], PAGES);
}

#define ANY(name, run) STEP_FLAGS(STEP_ANY_PAGES, name, run)

CASE(file_reclaim) {
	.claim = "Reclaim takes clean file pages and lazily freed pages out of RES; no book is "
		 "left behind",
	.because = "try_to_unmap_one() lowers the counter of the page's class for each entry it "
		   "takes away.",
	.said_by = SAID_BY("madvise(2), MADV_PAGEOUT"),
	.steps = STEPS(STEP("map and touch", map, VIRT_OTHER(PAGES), FILE_READ(PAGES),
			    VIRT_DATA(PAGES), ANON_WRITE(PAGES)),
		       ANY("page out the file", page_out_file),
		       ANY("lazily free and page out", lazy_free), ANY("read again", read_again)),
};
