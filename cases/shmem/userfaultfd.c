// SPDX-License-Identifier: MIT
/*
 * Pages that userfaultfd provides are RssShmem in a shared mapping of a memfd, and RssAnon in a
 * private one.
 */
#include <rssck/case.h>

enum { PAGES = 64, SHARED = 0, PRIVATE = 1, SOURCE = 2 };

static void *make_region(struct workload *w, int flags)
{
	void *p = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, flags,
				     workload_shmem(w, PAGES));

	w->fd[flags == MAP_SHARED ? SHARED : PRIVATE] = workload_userfaultfd(
		w, p, PAGES * w->page_size, UFFDIO_REGISTER_MODE_MISSING, 0);
	return p;
}

static void make(struct workload *w)
{
	w->slot[SOURCE] = workload_written(w, PAGES);
	w->slot[SHARED] = make_region(w, MAP_SHARED);
	w->slot[PRIVATE] = make_region(w, MAP_PRIVATE);
}

static void copy(struct workload *w)
{
	unsigned which = w->step->slot;
	struct uffdio_copy c = {
		.dst = (uintptr_t)w->slot[which],
		.src = (uintptr_t)w->slot[SOURCE],
		.len = PAGES / 2 * w->page_size,
	};

	workload_must(w, ioctl(w->fd[which], UFFDIO_COPY, &c), "UFFDIO_COPY");
}

/*
 * For shared memory UFFDIO_ZEROPAGE allocates zeroed pages, because shared memory never maps the
 * zero page.
 */
static void zero_shared(struct workload *w)
{
	struct uffdio_zeropage z = { .range = { (uintptr_t)w->slot[SHARED] +
							PAGES / 2 * w->page_size,
						PAGES / 2 * w->page_size } };

	workload_must(w, ioctl(w->fd[SHARED], UFFDIO_ZEROPAGE, &z), "UFFDIO_ZEROPAGE");
}

CASE(shmem_userfaultfd) {
	.claim =
		"Pages that userfaultfd provides in a shared mapping of a memfd are RssShmem, even those of UFFDIO_ZEROPAGE; pages that it copies into a private mapping are RssAnon",
	.because = "mfill_atomic_install_pte() adds a page of the page cache to "
		   "mm_counter_file(), and a private copy to MM_ANONPAGES.",
	.said_by = SAID_BY("ioctl_userfaultfd(2)"),
	.steps = STEPS(STEP("register", make,
			    MOVES(VIRT_DATA(2 * PAGES), VIRT_OTHER(PAGES), ANON_WRITE(PAGES))),
		       STEP("copy to the shared mapping", copy, .slot = SHARED,
			    MOVES(SHMEM_WRITE(PAGES / 2))),
		       STEP("zero pages to it", zero_shared, MOVES(SHMEM_WRITE(PAGES / 2))),
		       STEP("copy to the private mapping", copy, .slot = PRIVATE,
			    MOVES(ANON_WRITE(PAGES / 2)))),
};
