// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN should report the same pages as written, whichever other categories are requested.
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

static int64_t written(struct workload *w, uint64_t show)
{
	const struct scan_arg question = { .category_mask = SCAN_WRITTEN,
					   .return_mask = SCAN_WRITTEN | show };

	return workload_scan_pages(w, &question, w->slot[REGION], PAGES, NULL);
}

/*
 * Without a vector the kernel protects all pages in a code path of its own, which does not look at
 * categories.
 */
static void protect_by_scan(struct workload *w)
{
	struct scan_arg arg = { SCAN_OF(w->slot[REGION], PAGES * w->page_size, NULL, 0),
				.flags = PM_SCAN_WP_MATCHING, .category_mask = SCAN_WRITTEN,
				.return_mask = SCAN_WRITTEN };

	workload_scan(w, &arg);
}

/*
 * Runs in one step, because pagemap and PAGEMAP_SCAN, which the observer compares, may differ for
 * empty entries.
 */
static void give_back_and_scan(struct workload *w)
{
	char *p = w->slot[REGION];
	size_t page = w->page_size;

	touch_write(w, p, WRITTEN);
	workload_advise(w, p + WRITTEN * page, GIVEN_BACK * page, MADV_DONTNEED);
	workload_report(w, "alone", written(w, 0));
	workload_report(w, "with others", written(w, SCAN_PRESENT));
	protect_by_scan(w);
	workload_report(w, "protected", written(w, 0));
	/* Writes the dropped pages again, so that the observer sees no empty entry. */
	touch_write(w, p + WRITTEN * page, GIVEN_BACK);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t alone = trial_reported(t, WRITE_GIVE_BACK_SCAN, "alone");
	int64_t others = trial_reported(t, WRITE_GIVE_BACK_SCAN, "with others");

	judge_equal(j, WRITE_GIVE_BACK_SCAN, "PAGE_IS_WRITTEN alone", alone, WRITTEN + GIVEN_BACK,
		    "written = the pages written since, and the empty entries");
	judge_reported(t, j, WRITE_GIVE_BACK_SCAN, "protected", "PAGE_IS_WRITTEN, protected", 0,
		       "PM_SCAN_WP_MATCHING protects empty entries, too");
	judge_fact(j, "scan.written_of_an_empty_entry", "%s",
		   others == alone     ? "yes"
		   : others == WRITTEN ? "only where nothing else is asked for"
				       : "otherwise");
}

CASE(scanners_written_empty) {
	.claim =
		"A write-protected anonymous page that MADV_DONTNEED drops is PAGE_IS_WRITTEN again; some kernels report this only to a scan for PAGE_IS_WRITTEN alone",
	.because = "An empty entry has no uffd-wp bit. A scan for PAGE_IS_WRITTEN alone uses the "
		   "fast path of pagemap_scan_pmd_entry(), which reports the entry as written. "
		   "pagemap_page_category() gives it no category on older kernels, such as "
		   "6.12.43 and 7.0; 6.12.103 and 7.1.13 have the fix.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: PAGE_IS_WRITTEN"),
	.needs = NEEDS("scan"),
	.steps = STEPS(STEP("write and protect", write_and_protect,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES), UFFD_PROTECTED(PAGES))),
		       STEP_AS(WRITE_GIVE_BACK_SCAN, "write, drop, scan", give_back_and_scan,
			       MOVES(UFFD_PROTECTED(-GIVEN_BACK)))),
	.facts = FACTS(FACT(
		"scan.written_of_an_empty_entry",
		"Does PAGEMAP_SCAN report an empty entry as written, if userfaultfd watches the memory?",
		"yes|only where nothing else is asked for")),
	.judge = judge,
};
