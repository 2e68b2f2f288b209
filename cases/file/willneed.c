// SPDX-License-Identifier: MIT
/* MADV_WILLNEED reads a file into the page cache and changes no RSS. */
#include <rssck/case.h>

/* PAGES are few enough for one read-ahead request on usual devices. */
enum { PAGES = 16, REGION = 0 };

/* The kernel may still be reading when madvise() returns, so the step waits. */
static void willneed(struct workload *w)
{
	struct patience patience = { .seconds = 1 };

	if (madvise(w->slot[REGION], PAGES * w->page_size, MADV_WILLNEED) < 0)
		workload_skip_step(w, "MADV_WILLNEED: %m");
	while (workload_pages_in_core(w, w->slot[REGION], PAGES) < PAGES)
		if (!workload_pause(&patience))
			workload_skip_step(w, "a file system that reads ahead on MADV_WILLNEED");
	workload_checked(w);
}

CASE(file_willneed) {
	.claim =
		"MADV_WILLNEED of a file mapping reads the file into the page cache and changes no RSS; mincore(2) reports a file's cached pages, mapped or not",
	.because = "MADV_WILLNEED starts read-ahead and maps nothing. mincore() looks up each "
		   "page without a page table entry in the page cache.",
	.said_by = SAID_BY("madvise(2), MADV_WILLNEED", "mincore(2)"),
	.steps = STEPS(STEP("map", step_map_file, .pages = PAGES, .prot = PROT_READ,
			    MOVES(VIRT_OTHER(PAGES))),
		       STEP("MADV_WILLNEED", willneed, .checks = 1),
		       STEP("touch", step_read, .pages = PAGES, MOVES(FILE_READ(PAGES)))),
};
