// SPDX-License-Identifier: MIT
/* UFFDIO_COPY maps pages as dirty, even if it write-protects them. */
#include <rssck/case.h>

enum { PAGES = 64, REGION = 0, SOURCE = 1, READ_ONLY = 2, UFFD = 0, SEEN = 0 };

static void make(struct workload *w)
{
	w->slot[SOURCE] = workload_written(w, PAGES);
	w->slot[REGION] = workload_anonymous(w, PAGES);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP,
					   0);
}

static void copy_to(struct workload *w, unsigned slot)
{
	struct uffdio_copy c = { .dst = (uintptr_t)w->slot[slot],
				 .src = (uintptr_t)w->slot[SOURCE],
				 .len = PAGES * w->page_size,
				 .mode = UFFDIO_COPY_MODE_WP };
	int64_t seen;

	workload_must(w, ioctl(w->fd[UFFD], UFFDIO_COPY, &c), "UFFDIO_COPY");
	/* Since 5.14 pagemap shows bit 57. */
	seen = workload_pages_marked(w, w->slot[slot], PAGES, PAGEMAP_UFFD_WP);
	if (seen)
		w->number[SEEN] = true;
	if (w->number[SEEN])
		workload_expect(w, UFFD_PROTECTED(PAGES));
}

static void copy(struct workload *w)
{
	copy_to(w, REGION);
}

/* The pages must be protected in read-only memory, too, because it may become writable later. */
static void copy_read_only(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	w->slot[READ_ONLY] = workload_map(w, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[READ_ONLY], bytes,
					   UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP,
					   0);
	copy_to(w, READ_ONLY);
}

CASE(anonymous_userfaultfd_copy_protected) {
	.claim =
		"Pages that UFFDIO_COPY provides with UFFDIO_COPY_MODE_WP are RssAnon, dirty and (since 5.14) write-protected: bit 57 of pagemap; since 5.18 also in a read-only mapping",
	.because = "mfill_atomic_install_pte() maps every page dirty, because no file and no "
		   "swap slot holds its content. With UFFDIO_COPY_MODE_WP it maps the page "
		   "without write permission.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_COPY_MODE_WP"),
	.steps = STEPS(STEP("register", make, MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES))),
		       STEP("copy", copy, MOVES(ANON_WRITE(PAGES))),
		       STEP("read all", step_read_back, .slot = REGION, .pages = PAGES,
			    .checks = 1),
		       STEP("copy into a read-only mapping", copy_read_only,
			    MOVES(VIRT_OTHER(PAGES), ANON_WRITE(PAGES)))),
};
