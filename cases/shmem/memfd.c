// SPDX-License-Identifier: MIT
/*
 * A memfd takes memory from the first write(2) on, and is in RSS only once it is mapped and
 * touched.
 */
#include <rssck/case.h>

enum { PAGES = 256, FD = 0 };

static void write_file(struct workload *w)
{
	w->fd[FD] = workload_shmem(w, PAGES);
	for (size_t i = 0; i < PAGES; i++)
		if (pwrite(w->fd[FD], "x", 1, (off_t)(i * w->page_size)) != 1)
			workload_die(w, "pwrite to a memfd");
}

CASE(shmem_memfd) {
	.claim = "A memfd filled by write(2) is memory in no process's RSS; mapped and touched it "
		 "is RssShmem",
	.because = "The pages are tmpfs's page cache, dirty from the write. Only a page table "
		   "entry makes them part of a process; munmap() takes them out again and frees "
		   "nothing.",
	.said_by = SAID_BY("memfd_create(2)", "proc_pid_status(5), RssShmem"),
	.steps = STEPS(STEP("write(2)", write_file),
		       STEP("map and read", step_map_again, .pages = PAGES, .read = PAGES,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("unmap half", step_unmap, .pages = PAGES / 2,
			    MOVES(VIRT_OTHER(-(PAGES / 2)), SHMEM_WRITE(-(PAGES / 2))))),
};
