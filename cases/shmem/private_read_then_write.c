// SPDX-License-Identifier: MIT
/*
 * In a private mapping of shmem, pages that were read are RssShmem, and pages that were written are
 * RssAnon.
 */
#include <rssck/case.h>

enum { PAGES = 256, QUARTER = PAGES / 4, HALF = PAGES / 2, REGION = 0, FD = 0 };

/* Fills the memfd page by page. write(2) could make large folios, which a fault maps as a whole. */
static void map(struct workload *w)
{
	void *filled;

	w->fd[FD] = workload_shmem(w, PAGES);
	filled = workload_try_map(HALF * w->page_size, PROT_WRITE, MAP_SHARED, w->fd[FD]);
	if (!filled)
		workload_die(w, "mmap of a memfd: %m");
	touch_write(w, filled, HALF);
	munmap(filled, HALF * w->page_size);
	w->slot[REGION] = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE,
					     w->fd[FD]);
}

static void write_quarter(struct workload *w)
{
	char byte;

	touch_write(w, w->slot[REGION], QUARTER);
	for (size_t i = 0; i < QUARTER; i++)
		if (pread(w->fd[FD], &byte, 1, (off_t)(i * w->page_size)) != 1 ||
		    byte != (char)(i | 1))
			workload_fail(w, "writing the private copy changed page %zu of the memfd",
				      i);
}

CASE(shmem_private_read_then_write) {
	.claim = "In a private mapping of shmem, pages that were read are RssShmem, and pages "
		 "that were written are RssAnon",
	.because = "A read fault maps tmpfs's page; a write fault maps an anonymous copy. If the "
		   "page was not mapped before, only the copy is mapped (do_cow_fault()).",
	.said_by = SAID_BY("mmap(2), MAP_PRIVATE", "proc_pid_status(5)"),
	.steps = STEPS(STEP("map", map, MOVES(VIRT_DATA(PAGES))),
		       STEP("read half", step_read, .pages = HALF, MOVES(SHMEM_WRITE(HALF))),
		       STEP("write a quarter", write_quarter, MOVES(SHMEM_TO_ANON(QUARTER))),
		       STEP("write pages not read before", step_write, .first = HALF, .pages = HALF,
			    MOVES(ANON_WRITE(HALF)))),
};
