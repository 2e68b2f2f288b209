// SPDX-License-Identifier: MIT
/*
 * Checks what PAGEMAP_SCAN reports as written in memory that is not registered with a userfaultfd.
 */
#include <rssck/case.h>

enum { PAGES = 16 };
STEP_SYMBOLS(ANON, SHARED);

static bool is_written(struct workload *w, const char *p)
{
	static const struct scan_arg question = { .category_mask = SCAN_WRITTEN,
						  .return_mask = SCAN_WRITTEN };
	int64_t found = workload_scan_pages(w, &question, p, PAGES, NULL);

	if (found && found != PAGES)
		workload_fail(w, "only %d of %d pages in the same state are PAGE_IS_WRITTEN",
			      (int)found, PAGES);
	return found;
}

static void scan(struct workload *w)
{
	size_t table = workload_table_bytes(w), pages = 2 * table / w->page_size;
	char *p = workload_aligned_map(w, 2 * table, table,
				       w->argument ? workload_shmem(w, pages) : -1);

	/* madvise() fails on a kernel without huge pages, which does not matter. */
	madvise(p, 2 * table, MADV_NOHUGEPAGE);
	touch_write(w, p, PAGES);
	workload_report(w, "present", is_written(w, p));
	workload_report(w, "empty", is_written(w, p + PAGES * w->page_size));
	workload_report(w, "no table", is_written(w, p + table));
	workload_unmap(w, p, 2 * table);
}

static const char *written(const struct trial *t, unsigned step)
{
	bool present = trial_reported(t, step, "present"), empty = trial_reported(t, step, "empty");
	bool table = trial_reported(t, step, "no table");

	if (empty == table)
		return present ? empty ? "all pages" : "present pages"
		       : empty ? "absent pages"
			       : "none";
	return empty ? "pages that have a page table" : "otherwise";
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(
		j, SHARED, !strcmp(written(t, ANON), written(t, SHARED)),
		"PAGEMAP_SCAN reports the same pages as written in anonymous memory and in shmem");
	judge_fact(j, "scan.written_without_userfaultfd", "%s", written(t, ANON));
}

CASE(scanners_written_elsewhere) {
	.claim =
		"In memory that is not registered with userfaultfd, PAGEMAP_SCAN on most kernels reports every page whose page table exists as written, and on newer kernels none; anonymous memory and shmem are reported alike",
	.because = "PAGE_IS_WRITTEN is the absence of the uffd-wp bit. Before 7.3 a scan for it "
		   "alone reports each entry without the bit, and pagemap_scan_pte_hole() reports "
		   "no memory without a page table. Since then the mapping must be registered.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: PAGE_IS_WRITTEN"),
	.needs = NEEDS("scan"),
	.steps = STEPS(STEP_AS(ANON, "anonymous", scan),
		       STEP_AS(SHARED, "shmem", scan, .argument = 1)),
	.facts =
		FACTS(FACT("scan.written_without_userfaultfd",
			   "In memory that no userfaultfd watches, PAGEMAP_SCAN reports as written",
			   "none|present pages|pages that have a page table|all pages")),
	.judge = judge,
};
