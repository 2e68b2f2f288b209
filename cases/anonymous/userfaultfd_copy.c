// SPDX-License-Identifier: MIT
/* Pages that UFFDIO_COPY provides without a page fault are counted like touched pages. */
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0, SOURCE = 1, UFFD = 0 };

static void make(struct workload *w)
{
	w->slot[SOURCE] = workload_written(w, PAGES);
	w->slot[REGION] = workload_anonymous(w, PAGES);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_MISSING, 0);
}

static void copy(struct workload *w)
{
	size_t offset = w->step->first * w->page_size;
	struct uffdio_copy c = { .dst = (uintptr_t)w->slot[REGION] + offset,
				 .src = (uintptr_t)w->slot[SOURCE] + offset,
				 .len = w->step->pages * w->page_size };

	workload_must(w, ioctl(w->fd[UFFD], UFFDIO_COPY, &c), "UFFDIO_COPY");
}

static void copy_again(struct workload *w)
{
	struct uffdio_copy c = { .dst = (uintptr_t)w->slot[REGION],
				 .src = (uintptr_t)w->slot[SOURCE],
				 .len = w->page_size };

	if (ioctl(w->fd[UFFD], UFFDIO_COPY, &c) == 0 || errno != EEXIST)
		workload_fail(w, "UFFDIO_COPY onto an existing page did not fail with EEXIST");
	workload_checked(w);
}

CASE(anonymous_userfaultfd_copy) {
	.claim = "Pages that UFFDIO_COPY provides are in RES, like pages that the process writes",
	.because = "mfill_atomic_install_pte() maps the copied page and raises MM_ANONPAGES "
		   "itself, without a page fault. Virtual machines and CRIU restore memory with "
		   "UFFDIO_COPY.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_COPY"),
	.steps = STEPS(STEP("register", make, MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES))),
		       STEP("copy one", copy, .pages = 1, MOVES(ANON_WRITE(1))),
		       STEP("copy the rest", copy, .first = 1, .pages = PAGES - 1,
			    MOVES(ANON_WRITE(PAGES - 1))),
		       STEP("copy over a page", copy_again, .checks = 1),
		       STEP("write all", step_rewrite, .slot = REGION, .pages = PAGES,
			    .checks = 1)),
};
