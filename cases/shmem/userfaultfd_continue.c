// SPDX-License-Identifier: MIT
/*
 * UFFDIO_CONTINUE maps pages that are in the page cache of shmem: RssShmem rises, and no memory is
 * allocated.
 */
#include <rssck/case.h>

enum { PAGES = 64, HALF = PAGES / 2, REGION = 0, FD = 0, UFFD = 1 };

static void make(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	w->fd[FD] = workload_shmem(w, PAGES);
	for (size_t i = 0; i < PAGES; i++)
		workload_must(w, pwrite(w->fd[FD], "x", 1, (off_t)(i * w->page_size)), "pwrite");
	w->slot[REGION] = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd[FD], 0);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], bytes, UFFDIO_REGISTER_MODE_MINOR,
					   UFFD_FEATURE_MINOR_SHMEM);
}

static void resume(struct workload *w)
{
	int result = workload_userfaultfd_continue(w->fd[UFFD], w->slot[REGION],
						   HALF * w->page_size);

	workload_must(w, result, "UFFDIO_CONTINUE");
}

CASE(shmem_userfaultfd_continue) {
	.claim = "Shmem pages that UFFDIO_CONTINUE maps are RssShmem, like pages that a fault "
		 "maps",
	.because = "mfill_atomic_pte_continue() finds the page in the page cache, and "
		   "mfill_atomic_install_pte() adds it to mm_counter_file().",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_CONTINUE"),
	.steps = STEPS(STEP("register", make, MOVES(VIRT_OTHER(PAGES))),
		       STEP("continue", resume, MOVES(SHMEM_WRITE(HALF))),
		       STEP("write the mapped pages", step_rewrite, .pages = HALF, .checks = 1)),
};
