// SPDX-License-Identifier: MIT
/* UFFDIO_MOVE carries pages from one mapping to another: no counter moves. */
#include <linux/userfaultfd.h>
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0, SOURCE = 1, UFFD = 0 };

static void make(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	w->slot[SOURCE] = workload_map(w, bytes, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch_write(w, w->slot[SOURCE], PAGES);
	w->slot[REGION] = workload_map(w, bytes, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], bytes, UFFDIO_REGISTER_MODE_MISSING,
					   0);
}

static void move_all(struct workload *w)
{
	workload_userfaultfd_move(w, w->fd[UFFD], w->slot[REGION], w->slot[SOURCE],
				  PAGES * w->page_size);
}

static void write_there(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

static void write_source(struct workload *w)
{
	touch_write(w, w->slot[SOURCE], PAGES);
}

CASE(anonymous_userfaultfd_move) {
	.claim = "UFFDIO_MOVE carries resident pages to another mapping: RES stays, the source is "
		 "empty",
	.because = "move_present_ptes() moves each entry from the source to the destination; the "
		   "page and the counters do not change.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst"),
	.steps = STEPS(STEP("register", make, MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES))),
		       STEP("move", move_all), STEP("write where they are", write_there),
		       STEP("write where they were", write_source, MOVES(ANON_WRITE(PAGES)))),
};
