// SPDX-License-Identifier: MIT
/* remap_file_pages(2) maps a different part of the file at the same addresses, and populates it. */
#include <rssck/case.h>

enum { PAGES = 128, HALF = PAGES / 2, REGION = 0 };

static void remap(struct workload *w)
{
	char *p = w->slot[REGION];

	if (remap_file_pages(p, HALF * w->page_size, 0, HALF, 0) < 0)
		workload_skip_step(w, "remap_file_pages(2): %m");
	if (p[0] != p[HALF * w->page_size])
		workload_fail(w, "the first half does not show the pages of the second half");
}

CASE(shmem_remap_file) {
	.claim = "In a fully resident shared mapping remap_file_pages(2) leaves RES unchanged: the "
		 "number of mapped page table entries stays the same, but some pages are mapped "
		 "twice",
	.because = "Since 4.0 remap_file_pages(2) calls mmap(MAP_FIXED | MAP_POPULATE) for the "
		   "given part of the file. This removes the old entries and makes new ones "
		   "without a touch.",
	.said_by = SAID_BY("remap_file_pages(2)"),
	.steps = STEPS(STEP("map and write", step_map_shmem, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("map the second half over the first", remap,
			    MOVES(SHMEM_WRITE(-PAGES), SHMEM_WRITE(PAGES, .sharers = 2)))),
};
