// SPDX-License-Identifier: MIT
/* MADV_DONTNEED removes shmem from RES and frees no memory; the next touch maps the same pages. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0, FD = 0 };

static void dontneed(struct workload *w)
{
	struct stat st;

	workload_advise(w, w->slot[REGION], HALF * w->page_size, MADV_DONTNEED);
	if (fstat(w->fd[FD], &st) == 0 && st.st_blocks * 512 != (off_t)(PAGES * w->page_size))
		workload_fail(
			w,
			"after MADV_DONTNEED of half of its mapping the memfd has %lld bytes instead of %zu",
			(long long)st.st_blocks * 512, PAGES * w->page_size);
}

CASE(shmem_dontneed) {
	.claim = "MADV_DONTNEED removes shmem from RES but frees no memory; the next touch maps "
		 "the same pages",
	.because = "MADV_DONTNEED removes page table entries. An anonymous page is freed with its "
		   "entry if nothing else refers to it. A tmpfs page stays in the file, dirty, and "
		   "the next fault maps it again.",
	.said_by = SAID_BY("madvise(2), MADV_DONTNEED"),
	.steps = STEPS(STEP("map and write", step_map_shmem, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("MADV_DONTNEED half", dontneed, MOVES(SHMEM_WRITE(-HALF))),
		       STEP("read again", step_read_back, .pages = HALF, .checks = 1,
			    MOVES(SHMEM_WRITE(HALF)))),
};
