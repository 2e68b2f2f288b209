// SPDX-License-Identifier: MIT
/* UFFDIO_COPY provides pages without a fault: they count like touched ones. */
#include <errno.h>
#include <linux/userfaultfd.h>
#include <rssck/case.h>
#include <sys/ioctl.h>

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

static void copy(struct workload *w, size_t first, size_t pages)
{
	struct uffdio_copy c = {
		.dst = (uintptr_t)w->slot[REGION] + first * w->page_size,
		.src = (uintptr_t)w->slot[SOURCE] + first * w->page_size,
		.len = pages * w->page_size,
	};

	workload_must(w, ioctl(w->fd[UFFD], UFFDIO_COPY, &c), "UFFDIO_COPY");
}

static void copy_one(struct workload *w)
{
	copy(w, 0, 1);
}

static void copy_rest(struct workload *w)
{
	copy(w, 1, PAGES - 1);
}

/* One that is there already: refused, and nothing may be counted. */
static void copy_again(struct workload *w)
{
	struct uffdio_copy c = { .dst = (uintptr_t)w->slot[REGION],
				 .src = (uintptr_t)w->slot[SOURCE],
				 .len = w->page_size };

	if (ioctl(w->fd[UFFD], UFFDIO_COPY, &c) == 0 || errno != EEXIST)
		workload_fail(w, "UFFDIO_COPY over a page that is there was not refused");
}

static void write_all(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

CASE(anonymous_userfaultfd_copy) {
	.claim = "Pages that UFFDIO_COPY provides count in RES like pages that the process touched",
	.because = "mfill_atomic_install_pte() maps a filled page and raises MM_ANONPAGES itself, "
		   "without a fault and do_anonymous_page(). Virtual machines and CRIU restore "
		   "memory this way.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_COPY"),
	.steps = STEPS(STEP("register", make, MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES))),
		       STEP("copy one", copy_one, MOVES(ANON_WRITE(1))),
		       STEP("copy the rest", copy_rest, MOVES(ANON_WRITE(PAGES - 1))),
		       STEP("copy over a page", copy_again), STEP("write all", write_all)),
};
