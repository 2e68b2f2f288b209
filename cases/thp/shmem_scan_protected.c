// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN protects a file's huge page in its PMD; on the tested kernels the protection is lost
 * when the PMD is dropped.
 */
#include <rssck/case.h>

enum { REGION = 0, HUGE = 0 };
STEP_SYMBOLS(PROTECT, SPLIT_AND_READ);

static int64_t protected_pages(struct workload *w)
{
	return workload_pages_marked(w, w->slot[REGION], (size_t)w->huge, PAGEMAP_UFFD_WP);
}

static void make(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, workload_shmem(w, (size_t)w->huge));
	touch_write(w, w->slot[REGION], 1);
	workload_collapse(w, w->slot[REGION], w->huge_page_size);
	w->number[HUGE] = w->huge;
	workload_userfaultfd(w, w->slot[REGION], w->huge_page_size, UFFDIO_REGISTER_MODE_WP,
			     UFFD_FEATURE_WP_ASYNC);
	workload_expect(w, VIRT_OTHER(w->huge), SHMEM_HUGE(w->huge));
}

/* The kernel has dropped the PMD, and reading maps small pages. */
static void expect_pages(struct workload *w)
{
	workload_expect(w, SHMEM_HUGE(-w->number[HUGE]), SHMEM_WRITE(w->number[HUGE]));
	w->number[HUGE] = 0;
}

/* A kernel with a fix would split the huge page here, and leave a marker for each page. */
static void protect(struct workload *w)
{
	workload_scan_protect(w, w->slot[REGION], w->huge_page_size);
	workload_report(w, "marked", protected_pages(w));
	workload_expect(w, UFFD_PROTECTED(w->huge));
	if (workload_pages_marked(w, w->slot[REGION], (size_t)w->huge, PAGEMAP_PRESENT) == 0) {
		touch_read(w, w->slot[REGION], (size_t)w->huge);
		expect_pages(w);
	}
}

/* A mapping that ends inside the huge page makes the kernel drop the PMD. */
static void split(struct workload *w)
{
	char *p = w->slot[REGION];
	int64_t marked;

	workload_protect(w, p, w->page_size, PROT_READ);
	touch_read(w, p, (size_t)w->huge);
	marked = protected_pages(w);
	workload_report(w, "marked", marked);
	workload_report(w, "written",
			workload_scan_pages(w,
					    &(struct scan_arg) { .category_mask = SCAN_WRITTEN,
								 .return_mask = SCAN_WRITTEN },
					    p, (size_t)w->huge, NULL));
	expect_pages(w);
	workload_expect(w, UFFD_PROTECTED(marked - w->huge));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t pages = trial_reported(t, PROTECT, "marked");
	int64_t marked = trial_reported(t, SPLIT_AND_READ, "marked");

	judge_fact_of(j, "scan.protection_of_a_files_huge_page_that_is_split", marked, pages,
		      "is lost", "stays", "is lost in part");
	judge_reported(t, j, SPLIT_AND_READ, "written", "PAGE_IS_WRITTEN", pages - marked,
		       "written = the pages that are not protected");
}

CASE(thp_shmem_scan_protected) {
	.claim =
		"If PM_SCAN_WP_MATCHING has protected a huge page of shmem, a split of its PMD should keep the protection; on all tested kernels PAGE_IS_WRITTEN holds for all its pages after the split",
	.because = "make_uffd_wp_pmd() sets the uffd-wp bit in the PMD. Splitting a file's PMD "
		   "removes it (__split_huge_pmd_locked()) and leaves no marker, and an entry "
		   "without the bit counts as written. UFFDIO_WRITEPROTECT splits before it "
		   "protects (pgtable_split_needed()).",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: PAGE_IS_WRITTEN"),
	.needs = NEEDS("scan", "thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("make a huge page", make), STEP_AS(PROTECT, "protect", protect),
		       STEP_AS(SPLIT_AND_READ, "split and read", split)),
	.posts = POSTS(VIRT_OTHER(1), SHMEM_HUGE(1), SHMEM_WRITE(1), UFFD_PROTECTED(1)),
	.facts = FACTS(FACT("scan.protection_of_a_files_huge_page_that_is_split",
			    "When a file's huge page is split, PAGEMAP_SCAN's write protection "
			    "of it",
			    "is lost|stays")),
	.judge = judge,
};
