// SPDX-License-Identifier: MIT
/* UFFDIO_MOVE moves pages from one mapping to another and changes no counter. */
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0, SOURCE = 1, UFFD = 0 };

static void make(struct workload *w)
{
	w->slot[SOURCE] = workload_written(w, PAGES);
	w->slot[REGION] = workload_anonymous(w, PAGES);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_MISSING, 0);
}

static void move_all(struct workload *w)
{
	workload_userfaultfd_move(w, w->fd[UFFD], w->slot[REGION], w->slot[SOURCE],
				  PAGES * w->page_size);
}

CASE(anonymous_userfaultfd_move) {
	.claim = "UFFDIO_MOVE moves resident pages to another mapping: RES does not change, and "
		 "the source is empty",
	.because = "move_present_pte() (move_present_ptes() on newer kernels) moves each entry "
		   "from the source to the destination; the page and the counters do not change.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst"),
	.steps = STEPS(STEP("register", make, MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES))),
		       STEP("move", move_all),
		       STEP("write the moved pages", step_rewrite, .slot = REGION, .pages = PAGES,
			    .checks = 1),
		       STEP("write the source", step_write, .slot = SOURCE, .pages = PAGES,
			    MOVES(ANON_WRITE(PAGES)))),
};
