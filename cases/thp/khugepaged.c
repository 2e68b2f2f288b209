// SPDX-License-Identifier: MIT
/*
 * khugepaged makes a huge page from half-touched memory: RES rises although the process does
 * nothing.
 */
#include <rssck/case.h>

enum { REGION = 0, FAST_MS = 50 };

/* The pause between two scans of khugepaged. A write to this file also wakes khugepaged. */
#define PAUSE "/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs"

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	workload_advise(w, w->slot[REGION], w->huge_page_size, MADV_NOHUGEPAGE);
	touch_write(w, w->slot[REGION], (size_t)w->huge / 2);
	workload_expect(w, VIRT_DATA(w->huge), ANON_WRITE(w->huge / 2));
}

static void wait_for_khugepaged(struct workload *w)
{
	struct patience patience = { .seconds = 12 };
	int64_t present, pause = workload_number(PAUSE, NULL, -1);

	workload_advise(w, w->slot[REGION], w->huge_page_size, MADV_HUGEPAGE);
	workload_set_number(w, PAUSE, FAST_MS);
	do
		present = workload_pages_present(w, w->slot[REGION], (size_t)w->huge);
	while (present < w->huge && workload_pause(&patience));
	workload_set_number(w, PAUSE, pause);
	if (present < w->huge)
		workload_wait(w, &patience, "a khugepaged that scans this memory");
	madvise(w->slot[REGION], w->huge_page_size, MADV_NOHUGEPAGE);
	workload_expect(w, ANON_WRITE(-w->huge / 2), ANON_HUGE(w->huge));
}

CASE(thp_khugepaged) {
	.claim =
		"khugepaged fills half-touched memory up to a huge page: RES rises by the untouched half although the process does nothing",
	.because =
		"collapse_huge_page() copies the pages that exist, clears the rest and adds the missing pages to MM_ANONPAGES. Up to max_ptes_none of the pages may never have been touched.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst, max_ptes_none"),
	.needs = NEEDS("thp", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.steps = STEPS(STEP("write half", map_and_write),
		       STEP("wait for khugepaged", wait_for_khugepaged)),
	.posts = POSTS(ANON_HUGE(1)),
};
