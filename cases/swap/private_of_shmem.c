// SPDX-License-Identifier: MIT
/*
 * Each mapping from which a fault would read swapped shmem counts it in Swap, even a private
 * writable mapping.
 */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, SHARED = 0, PRIVATE = 1 };

static void map_and_write(struct workload *w)
{
	int fd = workload_shmem(w, PAGES);
	size_t bytes = PAGES * w->page_size;

	w->slot[SHARED] = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	w->slot[PRIVATE] = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	touch_write(w, w->slot[SHARED], PAGES);
}

CASE(swap_private_of_shmem) {
	.claim = "Swap of each mapping of shmem, shared or private writable, counts the file's "
		 "pages on swap; when a write to the private mapping reads pages back, Swap of "
		 "both mappings falls",
	.because = "For a private writable mapping smaps looks up tmpfs's tree only for empty "
		   "page table entries (smaps_pte_hole()). A copied page has an entry, so it is "
		   "not looked up.",
	.said_by = SAID_BY("proc_pid_smaps(5), Swap", "Documentation/filesystems/proc.rst"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write", map_and_write,
			    MOVES(VIRT_OTHER(PAGES), VIRT_DATA(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("page out", step_page_out_shmem, .slot = SHARED, .pages = PAGES,
			    MOVES(SHMEM_WRITE(-PAGES), SHMEM_SWAPPED(2 * PAGES))),
		       STEP("write half of the private mapping", step_write, .slot = PRIVATE,
			    .pages = HALF, MOVES(ANON_WRITE(HALF), SHMEM_SWAPPED(-2 * HALF)))),
};
