// SPDX-License-Identifier: MIT
/* userfaultfd can protect each page of a large folio, and unprotects only the requested pages. */
#include <rssck/case.h>

enum { WRITTEN = 5, REGION = 0, UFFD = 0 };

static void make(struct workload *w)
{
	w->slot[REGION] = workload_large_folios(w, 1);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], workload_folio_bytes(w),
					   UFFDIO_REGISTER_MODE_WP, 0);
}

static void set(struct workload *w, size_t bytes, bool protect)
{
	if (workload_userfaultfd_protect(w->fd[UFFD], w->slot[REGION], bytes, protect) < 0)
		workload_skip(w, "UFFDIO_WRITEPROTECT: %m");
}

static void protect(struct workload *w)
{
	set(w, workload_folio_bytes(w), true);
	workload_expect(w, UFFD_PROTECTED(WORKLOAD_FOLIO_PAGES));
}

/* Unprotects before it writes, because this case has no fault handler. */
static void unprotect_and_write(struct workload *w)
{
	set(w, WRITTEN * w->page_size, false);
	workload_rewrite(w, w->slot[REGION], WRITTEN);
}

CASE(thp_mthp_protect) {
	.claim = "UFFDIO_WRITEPROTECT protects every page of a large folio, and unprotects only "
		 "the pages in the given range",
	.because = "change_pte_range() changes the entries of a folio in one batch (since 6.17), "
		   "and must change every entry.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_WRITEPROTECT"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch", make), STEP("protect", protect),
		       STEP("unprotect and write", unprotect_and_write, .checks = 1,
			    MOVES(UFFD_PROTECTED(-WRITTEN)))),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1), UFFD_PROTECTED(1)),
};
