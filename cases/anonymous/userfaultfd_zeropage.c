// SPDX-License-Identifier: MIT
/* UFFDIO_ZEROPAGE maps the zero page, which is present and in no RSS until it is written. */
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0, UFFD = 0 };

static void make(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_MISSING, 0);
}

static void provide(struct workload *w)
{
	struct uffdio_zeropage z = { .range = { (uintptr_t)w->slot[REGION],
						PAGES * w->page_size } };

	workload_must(w, ioctl(w->fd[UFFD], UFFDIO_ZEROPAGE, &z), "UFFDIO_ZEROPAGE");
}

CASE(anonymous_userfaultfd_zeropage) {
	.claim = "A page that UFFDIO_ZEROPAGE provides is present and in no RSS; after a write "
		 "RES counts it",
	.because = "mfill_atomic_pte_zeropage() maps the zero page, as a read fault does, and "
		   "changes no counter.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_ZEROPAGE"),
	.steps = STEPS(STEP("register", make, MOVES(VIRT_DATA(PAGES))),
		       STEP("provide zero pages", provide, MOVES(ZERO_PLACED(PAGES))),
		       STEP("read the zero pages", step_read_zeroes, .pages = PAGES, .checks = 1),
		       STEP("write half", step_write, .pages = PAGES / 2,
			    MOVES(ZERO_PLACED(-(PAGES / 2)), ANON_WRITE(PAGES / 2)))),
};
