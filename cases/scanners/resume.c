// SPDX-License-Identifier: MIT
/*
 * When PAGEMAP_SCAN has walked the whole range, walk_end should be the end of the range. Some
 * kernels return an earlier address, from which a caller would count ranges twice.
 */
#include <rssck/case.h>

/*
 * Writes every second page, so that there are more ranges than the kernel's buffer takes: 512 with
 * 4 KiB pages (PMD_SIZE / PAGE_SIZE).
 */
enum { RANGES = 1100, PAGES = 2 * RANGES, REGION = 0, VECTOR = RANGES + 100 };
STEP_SYMBOLS(SCAN);

static void write_every_other(struct workload *w)
{
	char *p = workload_anonymous(w, PAGES);

	w->slot[REGION] = p;
	for (size_t i = 0; i < PAGES; i += 2)
		p[i * w->page_size] = 1;
}

static void scan_once(struct workload *w)
{
	static struct scan_region regions[VECTOR];
	uint64_t start = (uint64_t)(uintptr_t)w->slot[REGION];
	struct scan_arg arg = { SCAN_OF(start, PAGES * w->page_size, regions, VECTOR),
				.category_mask = SCAN_PRESENT, .return_mask = SCAN_PRESENT };
	int n = workload_scan(w, &arg);

	for (int i = 0; i < n; i++)
		if (regions[i].start != start + 2 * (uint64_t)i * w->page_size ||
		    regions[i].end != regions[i].start + w->page_size)
			workload_fail(w, "range %d is not one written page", i);
	workload_report(w, "ranges", n);
	workload_report(w, "left over", (int64_t)(arg.end - arg.walk_end));
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_equal_in(j, "ranges", SCAN, "ranges", trial_reported(t, SCAN, "ranges"), RANGES,
		       "one call with a large vector returns every range");
	judge_fact(j, "scan.walk_end_after_a_completed_walk", "%s",
		   trial_reported(t, SCAN, "left over") == 0 ? "the end" : "stale");
}

CASE(scanners_resume) {
	.claim =
		"When PAGEMAP_SCAN has scanned the whole range, walk_end should be the range's end; after more than 512 ranges (4 KiB pages) most kernels set it lower, and a caller that continues there counts pages twice",
	.because = "do_pagemap_scan() fills the vector in parts of 512 ranges (with 4 KiB pages), "
		   "and stores where each part was full. Some kernels return the last of these "
		   "addresses although the walk continued to the end. rssck therefore continues "
		   "at the end of the last range, never at walk_end.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: 'walk_end'"),
	.needs = NEEDS("scan"),
	.steps = STEPS(STEP("write every other page", write_every_other,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(RANGES))),
		       STEP_AS(SCAN, "scan", scan_once)),
	/*
	 * pagemap.rst promises "the end". The tested kernels show it only with 16 KiB pages,
	 * because their buffer then takes all ranges.
	 */
	.facts = FACTS(FACT("scan.walk_end_after_a_completed_walk",
			    "With a vector of more than 512 ranges, PAGEMAP_SCAN's walk_end "
			    "after a completed walk may be",
			    "the end|stale")),
	.judge = judge,
};
