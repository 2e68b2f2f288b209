// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN write-protects pages without a fault handler, then reports exactly the pages written
 * since.
 */
#include <rssck/case.h>

enum { PAGES = 256, WRITTEN = 77, REGION = 0 };
STEP_SYMBOLS(REGISTER, PROTECT, WRITE_SOME);

static void make(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size, UFFDIO_REGISTER_MODE_WP,
			     UFFD_FEATURE_WP_ASYNC);
}

static void protect(struct workload *w)
{
	workload_scan_protect(w, w->slot[REGION], PAGES * w->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { REGISTER, PROTECT, WRITE_SOME };
	static const int64_t written[] = { PAGES, 0, WRITTEN };
	int64_t others = trial_value(t, STEP_BASELINE, 0, METRIC_SCAN_WRITTEN);

	judge_fact(j, "scan.written_without_userfaultfd", "%s", others ? "everything" : "nothing");
	for (size_t i = 0; i < 3; i++) {
		const struct snapshot *s = trial_snapshot(t, steps[i], 0);

		judge_moved(j, steps[i], METRIC_SCAN_WRITTEN,
			    snapshot_value(s, METRIC_SCAN_WRITTEN) - others, written[i], 0,
			    "written = the pages written since PM_SCAN_WP_MATCHING protected them");
		judge_moved(j, steps[i], METRIC_SCAN_WPALLOWED,
			    snapshot_value(s, METRIC_SCAN_WPALLOWED), PAGES, 0,
			    "wpallowed = the pages of the registered mapping");
	}
}

CASE(anonymous_userfaultfd_async) {
	.claim =
		"In memory registered with UFFD_FEATURE_WP_ASYNC, PAGE_IS_WRITTEN holds for exactly the pages written since PM_SCAN_WP_MATCHING write-protected them; the only other change is bit 57 of pagemap",
	.because = "With UFFD_FEATURE_WP_ASYNC a write fault only clears the uffd-wp bit of the "
		   "entry. In memory without userfaultfd, PAGE_IS_WRITTEN holds up to 7.2 for "
		   "every page whose page table exists, and on 7.3 for no page.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: PAGE_IS_WRITTEN",
			   "ioctl_userfaultfd(2), UFFD_FEATURE_WP_ASYNC"),
	.needs = NEEDS("scan"),
	.steps = STEPS(STEP_AS(REGISTER, "register", make,
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP_AS(PROTECT, "protect", protect, MOVES(UFFD_PROTECTED(PAGES))),
		       STEP_AS(WRITE_SOME, "write some", step_write, .pages = WRITTEN,
			       MOVES(UFFD_PROTECTED(-WRITTEN)))),
	.facts = FACTS(FACT("scan.written_without_userfaultfd",
			    "Without userfaultfd, PAGEMAP_SCAN reports as written",
			    "everything|nothing")),
	.moves = METRICS(METRIC_SCAN_WRITTEN, METRIC_SCAN_WPALLOWED),
	.judge = judge,
};
