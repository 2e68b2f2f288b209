// SPDX-License-Identifier: MIT
/* A write-protected page of shared memory stays protected when it is dropped and read again. */
#include "protected.h"

enum { HALF = PAGES / 2 };
STEP_SYMBOLS(DONTNEED_READ);

/*
 * Drops and reads in one step, because PAGEMAP_SCAN shows the marker as swapped and smaps does not.
 */
static void give_back_and_read(struct workload *w)
{
	workload_advise(w, w->slot[REGION], HALF * w->page_size, MADV_DONTNEED);
	workload_report(w, "there", workload_pages_present(w, w->slot[REGION], PAGES));
	workload_report(w, "protected", marked(w, PAGEMAP_UFFD_WP));
	touch_read(w, w->slot[REGION], HALF);
	workload_report(w, "read again", marked(w, PAGEMAP_UFFD_WP));
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_reported(t, j, DONTNEED_READ, "there", "present", PAGES - HALF,
		       "dropped pages are not mapped");
	judge_reported(t, j, DONTNEED_READ, "protected", "bit 57", PAGES,
		       "an unmapped page of a file stays protected");
	judge_reported(t, j, DONTNEED_READ, "read again", "bit 57", PAGES,
		       "a page that is read again is still protected");
}

CASE(shmem_userfaultfd_protected) {
	.claim = "Shared memory that userfaultfd write-protects stays protected after "
		 "MADV_DONTNEED, and after it is read again",
	.because = "The page belongs to a file and may be mapped again. So "
		   "zap_install_uffd_wp_if_needed() leaves a marker in the empty entry, and the "
		   "next fault protects the page.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst",
			   "ioctl_userfaultfd(2), UFFDIO_WRITEPROTECT"),
	.steps = STEPS(WRITE_AND_PROTECT,
		       STEP_AS(DONTNEED_READ, "MADV_DONTNEED, read", give_back_and_read)),
	.judge = judge,
};
