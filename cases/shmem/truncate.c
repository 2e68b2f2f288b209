// SPDX-License-Identifier: MIT
/*
 * Truncating shmem removes the pages beyond the new end, and private copies of them, from every
 * mapping; VIRT does not change.
 */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, SHARED = 0, COPY = 1, FD = 0 };

static void map_and_write(struct workload *w)
{
	w->fd[FD] = workload_shmem(w, PAGES);
	w->slot[SHARED] = workload_shared(w, PAGES, w->fd[FD]);
	w->slot[COPY] = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE,
					   w->fd[FD]);
	touch_write(w, w->slot[SHARED], PAGES);
	touch_write(w, w->slot[COPY], PAGES);
}

CASE(shmem_truncate) {
	.claim = "Truncating shmem removes the pages beyond its new end from RssShmem, and "
		 "private copies of them from RssAnon; VIRT does not change",
	.because =
		"shmem_setattr() unmaps with even_cows = 1 (unmap_mapping_range()): beyond the end of the file not even a private copy may remain. When the file grows again, its new pages read as zeroes.",
	.said_by = SAID_BY("truncate(2)", "mmap(2)"),
	.steps = STEPS(STEP("map and write", map_and_write,
			    MOVES(VIRT_OTHER(PAGES), VIRT_DATA(PAGES), SHMEM_WRITE(PAGES),
				  ANON_WRITE(PAGES))),
		       STEP("truncate to half", step_truncate, .pages = HALF,
			    MOVES(SHMEM_WRITE(-HALF), ANON_WRITE(-HALF))),
		       STEP("grow again", step_truncate, .pages = PAGES),
		       STEP("write again", step_write, .slot = SHARED, .pages = PAGES,
			    MOVES(SHMEM_WRITE(HALF)))),
};
