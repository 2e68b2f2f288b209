// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN should write-protect a hugetlb page of 1 GiB like a smaller one; some kernels do
 * not.
 */
#include <rssck/case.h>

STEP_SYMBOLS(SCAN_AND_PROTECT);

#ifndef MAP_HUGE_1GB
#define MAP_HUGE_1GB (30 << 26)
#endif

enum { GIB = 1 << 30 };

#define POOL "/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages"

static int64_t protect(struct workload *w, char *p)
{
	struct scan_region region = { 0 };
	struct scan_arg arg = { SCAN_OF(p, GIB, &region, 1), .flags = PM_SCAN_WP_MATCHING,
				.category_mask = SCAN_WRITTEN, .return_mask = SCAN_WRITTEN };

	workload_scan(w, &arg);
	return workload_pages_marked(w, p, 1, PAGEMAP_UFFD_WP);
}

/* Maps and frees the page in one step, because a guest may have no second GiB. */
static void scan(struct workload *w)
{
	char *p;

	if (!workload_try_to_set(POOL, "1"))
		workload_skip(w, POOL);
	p = workload_try_map(GIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_HUGETLB | MAP_HUGE_1GB,
			     -1);
	if (!p) {
		workload_try_to_set(POOL, "0");
		workload_skip(w, "a hugetlb page of 1 GiB (rssck vm --memory=4096)");
	}
	p[0] = 1;
	workload_userfaultfd(w, p, GIB, UFFDIO_REGISTER_MODE_WP,
			     UFFD_FEATURE_WP_ASYNC | UFFD_FEATURE_WP_HUGETLBFS_SHMEM);
	workload_report(w, "protected", protect(w, p));
	munmap(p, GIB);
	workload_try_to_set(POOL, "0");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_yes_no(j, "scan.protects_hugetlb_pages_of_1_GiB",
		     trial_reported(t, SCAN_AND_PROTECT, "protected"));
}

CASE(scanners_gigantic) {
	.claim = "PAGEMAP_SCAN with PM_SCAN_WP_MATCHING write-protects a written hugetlb page of "
		 "1 GiB; on some kernels it never does",
	.because = "pagemap_scan_hugetlb_entry() protects only whole pages. Before 7.2 (and before "
		   "6.12.97) it compares the range with HPAGE_SIZE (2 MiB on x86-64) to decide "
		   "whether it is a whole page. So it treats a larger page as a part.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: PM_SCAN_WP_MATCHING"),
	.needs = NEEDS("scan", "guest"),
	.steps = STEPS(STEP_AS(SCAN_AND_PROTECT, "scan and protect", scan)),
	.facts = FACTS(FACT("scan.protects_hugetlb_pages_of_1_GiB",
			    "Does PAGEMAP_SCAN write-protect hugetlb pages of 1 GiB?", "yes|no")),
	.judge = judge,
};
