// SPDX-License-Identifier: MIT
/*
 * The pages that PAGEMAP_SCAN reports as written do not depend on the other categories of the
 * scan.
 */
#include <rssck/case.h>

enum { PAGES = 32, GIVEN_BACK = 5, WRITTEN = 7, REGION = 0, UFFD = 0 };
STEP_SYMBOLS(WRITE_GIVE_BACK_SCAN);

static void write_and_protect(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	w->slot[REGION] = workload_written(w, PAGES);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], bytes, UFFDIO_REGISTER_MODE_WP,
					   UFFD_FEATURE_WP_ASYNC);
	workload_must(w, workload_userfaultfd_protect(w->fd[UFFD], w->slot[REGION], bytes, true),
		      "UFFDIO_WRITEPROTECT");
}

/* How many pages a scan for that category reports as written, with that return mask. */
static int64_t written(struct workload *w, uint64_t show)
{
	const struct scan_arg question = { .category_mask = SCAN_WRITTEN,
					   .return_mask = SCAN_WRITTEN | show };

	return workload_scan_pages(w, &question, w->slot[REGION], PAGES, NULL);
}

/*
 * Without a vector the kernel does not look at categories: a separate code path protects all pages.
 */
static void protect_by_scan(struct workload *w)
{
	uint64_t start = (uintptr_t)w->slot[REGION];
	struct scan_arg arg = { .flags = PM_SCAN_WP_MATCHING,
				.start = start,
				.end = start + PAGES * w->page_size,
				.category_mask = SCAN_WRITTEN,
				.return_mask = SCAN_WRITTEN };

	workload_scan(w, &arg);
}

/* In one step: for empty entries the two may differ. */
static void give_back_and_scan(struct workload *w)
{
	char *p = w->slot[REGION];
	size_t page = w->page_size;

	touch_write(w, p, WRITTEN);
	workload_must(w, madvise(p + WRITTEN * page, GIVEN_BACK * page, MADV_DONTNEED),
		      "MADV_DONTNEED");
	workload_report(w, "alone", written(w, 0));
	workload_report(w, "with others", written(w, SCAN_PRESENT));
	protect_by_scan(w);
	workload_report(w, "protected", written(w, 0));
	/* Writes the pages again, so that no empty entry is left for the observer. */
	touch_write(w, p + WRITTEN * page, GIVEN_BACK);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t alone = trial_reported(t, WRITE_GIVE_BACK_SCAN, "alone");
	int64_t others = trial_reported(t, WRITE_GIVE_BACK_SCAN, "with others");

	judge_equal(j, WRITE_GIVE_BACK_SCAN, "PAGE_IS_WRITTEN alone", alone, WRITTEN + GIVEN_BACK,
		    "written = the pages that were written, and the empty entries, which cannot "
		    "be protected");
	judge_reported(t, j, WRITE_GIVE_BACK_SCAN, "protected", "PAGE_IS_WRITTEN, protected", 0,
		       "PM_SCAN_WP_MATCHING protects empty entries, too");
	judge_fact(j, "scan.written_of_an_empty_entry", "%s",
		   others == alone     ? "yes"
		   : others == WRITTEN ? "only where nothing else is asked for"
				       : "otherwise");
}

CASE(scanners_written_empty) {
	.claim = "A page that MADV_DONTNEED drops is PAGE_IS_WRITTEN again; some kernels report "
		 "it only to a scan for no other category",
	.because = "An empty entry has no uffd-wp bit. The fast path of pagemap_scan_pmd_entry(), "
		   "used by a scan for PAGE_IS_WRITTEN alone, reports it as written; "
		   "pagemap_page_category() gave it no category until 7.2 (and 6.12.103).",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: PAGE_IS_WRITTEN"),
	.needs = NEEDS("scan"),
	.steps = STEPS(STEP("write and protect", write_and_protect,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES), UFFD_PROTECTED(PAGES))),
		       STEP_AS(WRITE_GIVE_BACK_SCAN, "write, drop, scan", give_back_and_scan,
			       MOVES(UFFD_PROTECTED(-GIVEN_BACK)))),
	.facts = FACTS(FACT("scan.written_of_an_empty_entry",
			    "Does PAGEMAP_SCAN call an empty entry written?",
			    "yes|only where nothing else is asked for")),
	.judge = judge,
};
