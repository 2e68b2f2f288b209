// SPDX-License-Identifier: MIT
/*
 * A memfd uses memory from the first write(2) on. RSS counts it only after a process maps and
 * touches it.
 */
#include <rssck/case.h>

enum { PAGES = 256, FD = 0 };

static void write_file(struct workload *w)
{
	w->fd[FD] = workload_shmem(w, PAGES);
	for (size_t i = 0; i < PAGES; i++)
		if (pwrite(w->fd[FD], "x", 1, (off_t)(i * w->page_size)) != 1)
			workload_die(w, "pwrite(2) to a memfd: %m");
}

CASE(shmem_memfd) {
	.claim = "A memfd that write(2) fills is in no process's RSS; pages that a process maps "
		 "and touches are RssShmem",
	.because = "The pages are page cache of tmpfs, dirty from the write. Only a page table "
		   "entry adds a page to a process's RSS. munmap() removes the entries and frees "
		   "no page.",
	.said_by = SAID_BY("memfd_create(2)", "proc_pid_status(5), RssShmem"),
	.steps = STEPS(STEP("write(2)", write_file),
		       STEP("map and read", step_map_again, .pages = PAGES, .read = PAGES,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("unmap half", step_unmap, .pages = PAGES / 2,
			    MOVES(VIRT_OTHER(-(PAGES / 2)), SHMEM_WRITE(-(PAGES / 2))))),
};
