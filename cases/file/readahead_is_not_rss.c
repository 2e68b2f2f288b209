// SPDX-License-Identifier: MIT
/*
 * A touch of an uncached file may read more pages than it maps, so the page cache may grow more
 * than RES.
 */
#include <rssck/case.h>

enum { PAGES = 512, REGION = 0 };

static void touch_ends(struct workload *w)
{
	int64_t mapped, in_cache;

	/* Touches the last page, too, because read-ahead from the first page may not reach it. */
	touch_read(w, w->slot[REGION], 1);
	touch_read(w, (char *)w->slot[REGION] + (PAGES - 1) * w->page_size, 1);
	mapped = workload_pages_present(w, w->slot[REGION], PAGES);
	in_cache = workload_pages_in_core(w, w->slot[REGION], PAGES);
	workload_expect(w, FILE_READ(mapped));
	if (mapped < 2 || in_cache < mapped)
		workload_fail(
			w,
			"%lld pages are mapped (should be at least 2), and %lld are in the page cache (should be at least the mapped ones)",
			(long long)mapped, (long long)in_cache);
	if (in_cache == mapped)
		workload_skip(w, "a file system that reads ahead");
}

static void drop(struct workload *w)
{
	int64_t mapped = workload_pages_present(w, w->slot[REGION], PAGES);

	workload_advise(w, w->slot[REGION], PAGES * w->page_size, MADV_DONTNEED);
	workload_expect(w, FILE_READ(-mapped));
	if (workload_pages_in_core(w, w->slot[REGION], PAGES) < mapped)
		workload_fail(w, "MADV_DONTNEED removed pages from the page cache");
}

CASE(file_readahead_is_not_rss) {
	.claim = "Pages that read-ahead reads beyond the touched page are page cache; RES counts "
		 "only the mapped pages",
	.because = "A fault on an uncached page reads further pages ahead, but maps at most the "
		   "cached pages near the touched one. The other pages are in the page cache and "
		   "in no RSS until a fault maps them.",
	.said_by = SAID_BY("Memory part 3: Managing memory", "readahead(2)"),
	.steps = STEPS(STEP("map", step_map_file, .pages = PAGES, .prot = PROT_READ,
			    MOVES(VIRT_OTHER(PAGES))),
		       STEP("touch the ends", touch_ends), STEP("MADV_DONTNEED", drop),
		       STEP("touch all", step_read, .pages = PAGES, MOVES(FILE_READ(PAGES)))),
	.posts = POSTS(FILE_READ(1)),
};
