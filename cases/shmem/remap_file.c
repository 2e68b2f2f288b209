// SPDX-License-Identifier: MIT
/* remap_file_pages(2) maps other pages of the file in place, and populates them. */
#include <rssck/case.h>

enum { PAGES = 128, HALF = PAGES / 2, REGION = 0 };

static void remap(struct workload *w)
{
	char *p = w->slot[REGION];

	if (remap_file_pages(p, HALF * w->page_size, 0, HALF, 0) < 0)
		workload_skip_step(w, "remap_file_pages(2): %m");
	if (p[0] != p[HALF * w->page_size])
		workload_fail(w, "the first half does not show the second half's pages");
}

CASE(shmem_remap_file) {
	.claim = "remap_file_pages(2) moves no RES: as many pages are mapped as before, some now "
		 "twice",
	.because = "Since 4.0 it is mmap(MAP_FIXED | MAP_POPULATE) of the other part of the file: "
		   "the old entries are removed, and the new ones are made without a touch.",
	.said_by = SAID_BY("remap_file_pages(2)"),
	.steps = STEPS(STEP("map and write", step_map_shmem, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("map the second half over the first", remap,
			    MOVES(SHMEM_WRITE(-PAGES), SHMEM_WRITE(PAGES, .sharers = 2)))),
};
