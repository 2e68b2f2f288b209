// SPDX-License-Identifier: MIT
/* A write-protected page of shared memory stays protected when it is dropped and read again. */
#include <rssck/case.h>

enum { PAGES = 64, HALF = PAGES / 2, REGION = 0 };
STEP_SYMBOLS(DONTNEED_READ);

static int64_t marked(struct workload *w)
{
	return workload_pages_marked(w, w->slot[REGION], PAGES, PAGEMAP_UFFD_WP);
}

static void write_and_protect(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *p = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			       workload_shmem(w, PAGES), 0);
	int uffd = workload_userfaultfd(w, p, bytes, UFFDIO_REGISTER_MODE_WP,
					UFFD_FEATURE_WP_HUGETLBFS_SHMEM);

	w->slot[REGION] = p;
	touch_write(w, p, PAGES);
	workload_must(w, workload_userfaultfd_protect(uffd, p, bytes, true), "UFFDIO_WRITEPROTECT");
}

/*
 * Drops and reads in one step, because PAGEMAP_SCAN shows the marker as swapped and smaps does not.
 */
static void give_back_and_read(struct workload *w)
{
	workload_must(w, madvise(w->slot[REGION], HALF * w->page_size, MADV_DONTNEED),
		      "MADV_DONTNEED");
	workload_report(w, "there", workload_pages_present(w, w->slot[REGION], PAGES));
	workload_report(w, "protected", marked(w));
	touch_read(w, w->slot[REGION], HALF);
	workload_report(w, "read again", marked(w));
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
	.steps = STEPS(STEP("write and protect", write_and_protect,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES), UFFD_PROTECTED(PAGES))),
		       STEP_AS(DONTNEED_READ, "MADV_DONTNEED, read", give_back_and_read)),
	.judge = judge,
};
