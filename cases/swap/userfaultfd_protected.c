// SPDX-License-Identifier: MIT
/* Pages that userfaultfd write-protects stay protected on swap and after they are read back. */
#include <rssck/case.h>

enum { PAGES = 64, REGION = 0 };

static void write_and_protect(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *p = workload_written(w, PAGES);
	int fd = workload_userfaultfd(w, p, bytes, UFFDIO_REGISTER_MODE_WP, 0);

	if (workload_userfaultfd_protect(fd, p, bytes, true) < 0)
		workload_skip(w, "UFFDIO_WRITEPROTECT: %m");
	if (!workload_pages_marked(w, p, PAGES, PAGEMAP_UFFD_WP))
		workload_skip(w, "bit 57 of pagemap (Linux 5.14)");
	w->slot[REGION] = p;
}

CASE(swap_userfaultfd_protected) {
	.claim = "Pages that userfaultfd write-protects stay protected on swap and after they "
		 "are read back",
	.because = "try_to_unmap_one() copies the uffd-wp bit into the swap entry "
		   "(pte_swp_mkuffd_wp()), and do_swap_page() copies it back.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write and protect", write_and_protect,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES), UFFD_PROTECTED(PAGES))),
		       STEP("page out", step_page_out, PAGED_OUT(PAGES)),
		       STEP("read back", step_read_from_swap, .pages = PAGES,
			    MOVES(SWAPPED(-PAGES)))),
};
