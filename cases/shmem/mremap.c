// SPDX-License-Identifier: MIT
/*
 * mremap of a shared mapping: moved pages stay resident; pages that are cut off leave RES and stay
 * in the file.
 */
#include <rssck/case.h>

enum { PAGES = 96, CUT = 40, GROWN = 16, REGION = 0 };

/* The mapping behind the region prevents growth in place, so mremap must move the region. */
static void grow(struct workload *w)
{
	char *behind = (char *)w->slot[REGION] + (PAGES - CUT) * w->page_size;

	workload_remember(w,
			  mmap(behind, w->page_size, PROT_NONE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
			  w->page_size);
	step_remap(w);
}

CASE(shmem_mremap) {
	.claim = "When mremap moves shared memory, its pages stay resident; pages that mremap "
		 "cuts off leave RES until they are mapped and touched again",
	.because = "move_page_tables() moves the entries and changes no counter. The part that "
		   "is cut off is unmapped like any shared memory, and its pages stay in the "
		   "page cache.",
	.said_by = SAID_BY("mremap(2)"),
	.steps = STEPS(STEP("map and write", step_map_shmem, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("shrink", step_remap, .pages = PAGES, .becomes = PAGES - CUT,
			    MOVES(VIRT_OTHER(-CUT), SHMEM_WRITE(-CUT))),
		       STEP("grow and move", grow, .pages = PAGES - CUT,
			    .becomes = PAGES - CUT + GROWN, MOVES(VIRT_OTHER(GROWN + 1))),
		       STEP("read the new part", step_read, .first = PAGES - CUT, .pages = GROWN,
			    MOVES(SHMEM_WRITE(GROWN)))),
};
