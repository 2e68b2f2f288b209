// SPDX-License-Identifier: MIT
/* UFFDIO_COPY can provide pages write-protected: they are dirty all the same. */
#include <linux/userfaultfd.h>
#include <rssck/case.h>
#include <rssck/source.h>
#include <sys/ioctl.h>

enum { PAGES = 64, REGION = 0, SOURCE = 1, UFFD = 0 };

static void make(struct workload *w)
{
	w->slot[SOURCE] = workload_written(w, PAGES);
	w->slot[REGION] = workload_anonymous(w, PAGES);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP,
					   0);
}

static void copy(struct workload *w)
{
	struct uffdio_copy c = { .dst = (uintptr_t)w->slot[REGION],
				 .src = (uintptr_t)w->slot[SOURCE],
				 .len = PAGES * w->page_size,
				 .mode = UFFDIO_COPY_MODE_WP };
	int64_t seen;

	workload_must(w, ioctl(w->fd[UFFD], UFFDIO_COPY, &c), "UFFDIO_COPY");
	/* Bit 57 of pagemap: since 5.14. */
	seen = workload_pages_marked(w, w->slot[REGION], PAGES, PAGEMAP_UFFD_WP);
	if (seen)
		workload_expect(w, UFFD_PROTECTED(PAGES));
}

CASE(anonymous_userfaultfd_copy_protected) {
	.claim = "Pages that UFFDIO_COPY provides write-protected are RssAnon, dirty and "
		 "protected",
	.because = "mfill_atomic_install_pte() maps every page dirty, because no file or swap "
		   "holds its content; with UFFDIO_COPY_MODE_WP it maps it without write "
		   "permission.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_COPY_MODE_WP"),
	.steps = STEPS(STEP("register", make, MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES))),
		       STEP("copy", copy, MOVES(ANON_WRITE(PAGES))),
		       STEP("read all", step_read_back, .slot = REGION, .pages = PAGES, .asks = 1)),
};
