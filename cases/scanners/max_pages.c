// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN stops after max_pages, both in page tables and in holes, and returns where to
 * continue.
 */
#include <rssck/case.h>

enum { PAGES = 100, HOLE = 1000, MOST = 30, WRITTEN = 0, UNTOUCHED = 1, VECTOR = 64 };

static void map(struct workload *w)
{
	w->slot[WRITTEN] = workload_written(w, PAGES);
	w->slot[UNTOUCHED] = workload_anonymous(w, HOLE);
}

/* Scans with max_pages in several calls; `inverted` makes the scan search for absent pages. */
static void scan_in_parts(struct workload *w, const void *p, uint64_t pages, uint64_t inverted)
{
	uint64_t at = (uint64_t)(uintptr_t)p, end = at + pages * w->page_size;

	while (at < end) {
		struct scan_region regions[VECTOR];
		struct scan_arg arg = { SCAN_OF(at, end - at, regions, VECTOR), .max_pages = MOST,
					.category_inverted = inverted,
					.category_mask = SCAN_PRESENT,
					.return_mask = SCAN_PRESENT };
		uint64_t found = 0, left = (end - at) / w->page_size;
		int n = workload_scan(w, &arg);

		for (int i = 0; i < n; i++)
			found += (regions[i].end - regions[i].start) / w->page_size;
		if (found != (left < MOST ? left : MOST))
			workload_fail(
				w,
				"a call with max_pages found %d of %d remaining pages, should be %d",
				(int)found, (int)left, (int)(left < MOST ? left : MOST));
		if (arg.walk_end != at + found * w->page_size)
			workload_fail(w, "walk_end is not the end of the last range");
		workload_checked(w);
		at = arg.walk_end;
	}
}

static void scan(struct workload *w)
{
	scan_in_parts(w, w->slot[WRITTEN], PAGES, 0);
	scan_in_parts(w, w->slot[UNTOUCHED], HOLE, SCAN_PRESENT);
}

CASE(scanners_max_pages) {
	.claim = "PAGEMAP_SCAN returns at most max_pages pages, and walk_end is the address at "
		 "which to continue",
	.because =
		"pagemap_scan_output() cuts a range that exceeds max_pages, whether the range is "
		"populated or a hole in the page tables, and stops the walk there.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: 'max_pages'"),
	.needs = NEEDS("scan"),
	.steps = STEPS(
		STEP("map two, write one", map, MOVES(VIRT_DATA(PAGES + HOLE), ANON_WRITE(PAGES))),
		STEP("scan", scan, .checks = (PAGES + MOST - 1) / MOST + (HOLE + MOST - 1) / MOST)),
};
