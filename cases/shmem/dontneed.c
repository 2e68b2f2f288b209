// SPDX-License-Identifier: MIT
/* MADV_DONTNEED removes shmem from RES and frees no memory; the next touch maps the same pages. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0, FD = 0 };

static void map_and_write(struct workload *w)
{
	w->fd[FD] = workload_shmem(w, PAGES);
	w->slot[REGION] = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_SHARED,
					     w->fd[FD]);
	memset(w->slot[REGION], 'x', PAGES * w->page_size);
}

static void dontneed(struct workload *w)
{
	struct stat st;

	workload_must(w, madvise(w->slot[REGION], HALF * w->page_size, MADV_DONTNEED),
		      "MADV_DONTNEED");
	if (fstat(w->fd[FD], &st) == 0 && st.st_blocks * 512 != (off_t)(PAGES * w->page_size))
		workload_fail(w, "the memfd has %lld bytes after MADV_DONTNEED, not all of them",
			      (long long)st.st_blocks * 512);
}

static void read_again(struct workload *w)
{
	const char *p = w->slot[REGION];

	for (size_t i = 0; i < HALF; i++)
		if (p[i * w->page_size] != 'x')
			workload_fail(w, "page %zu lost its content", i);
}

CASE(shmem_dontneed) {
	.claim = "MADV_DONTNEED removes shmem from RES but frees no memory; the next touch maps "
		 "the same pages",
	.because = "MADV_DONTNEED removes page table entries. An anonymous page is freed with "
		   "its entry. A tmpfs page stays in the file, dirty, and the next fault maps it "
		   "again.",
	.said_by = SAID_BY("madvise(2), MADV_DONTNEED"),
	.steps = STEPS(STEP("map and write", map_and_write,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("MADV_DONTNEED half", dontneed, MOVES(SHMEM_WRITE(-HALF))),
		       STEP("read again", read_again, MOVES(SHMEM_WRITE(HALF)))),
};
