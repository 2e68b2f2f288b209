// SPDX-License-Identifier: MIT
/* PAGEMAP_SCAN: a category that is also in category_inverted matches pages that do not have it. */
#include <rssck/case.h>

enum { PAGES = 16, UNTOUCHED = 0, ANON = 1, FILE_PAGES = 2, REGIONS = 3 };

static void map(struct workload *w)
{
	w->slot[UNTOUCHED] = workload_anonymous(w, PAGES);
	w->slot[ANON] = workload_written(w, PAGES);
	w->slot[FILE_PAGES] = workload_map_pages(w, PAGES, PROT_READ, MAP_SHARED,
						 workload_file(w, PAGES));
	touch_read(w, w->slot[FILE_PAGES], PAGES);
}

/* A query, and whether untouched, anonymous and file pages match it. */
static const struct question {
	struct scan_arg asks;
	bool matches[REGIONS];
} questions[] = {
#define QUESTION(inverted, mask, anyof, ...)                 \
	{                                                    \
		{ .category_inverted = (inverted),           \
		  .category_mask = (mask),                   \
		  .category_anyof_mask = (anyof),            \
		  .return_mask = SCAN_PRESENT | SCAN_FILE }, \
		{                                            \
			__VA_ARGS__                          \
		}                                            \
	}
	QUESTION(0, SCAN_PRESENT, 0, false, true, true),
	QUESTION(SCAN_PRESENT, SCAN_PRESENT, 0, true, false, false),
	QUESTION(0, 0, SCAN_PRESENT | SCAN_FILE, false, true, true),
	QUESTION(SCAN_PRESENT, 0, SCAN_PRESENT | SCAN_FILE, true, false, true),
	QUESTION(SCAN_PRESENT, 0, SCAN_PRESENT, true, false, false),
	QUESTION(SCAN_FILE, SCAN_PRESENT, SCAN_FILE, false, true, false),
	QUESTION(SCAN_FILE, SCAN_PRESENT | SCAN_FILE, SCAN_SWAPPED | SCAN_PRESENT, false, true,
		 false),
#undef QUESTION
};

enum { QUESTIONS = sizeof(questions) / sizeof(*questions) };

static void ask(struct workload *w)
{
	for (size_t i = 0; i < QUESTIONS; i++)
		for (int region = 0; region < REGIONS; region++) {
			const struct question *q = &questions[i];
			int64_t n = workload_scan_pages(w, &q->asks, w->slot[region], PAGES, NULL);

			workload_checked(w);
			if (n != (q->matches[region] ? PAGES : 0))
				workload_fail(
					w,
					"a scan with inverted %#x, mask %#x, anyof %#x reports %d of %d %s pages, should be %d",
					(unsigned)q->asks.category_inverted,
					(unsigned)q->asks.category_mask,
					(unsigned)q->asks.category_anyof_mask, (int)n, PAGES,
					region == UNTOUCHED ? "untouched"
					: region == ANON    ? "anonymous"
							    : "file",
					q->matches[region] ? PAGES : 0);
		}
}

CASE(scanners_inverted) {
	.claim =
		"In both masks of PAGEMAP_SCAN, category_mask and category_anyof_mask, a category that is also in category_inverted matches pages without it",
	.because = "pagemap_scan_is_interesting_page() first flips the inverted categories of a "
		   "page, then compares the result with both masks.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: 'category_inverted'"),
	.needs = NEEDS("scan"),
	.steps = STEPS(STEP("map, write and read", map,
			    MOVES(VIRT_DATA(2 * PAGES), VIRT_OTHER(PAGES), ANON_WRITE(PAGES),
				  FILE_READ(PAGES))),
		       STEP("scan", ask, .checks = QUESTIONS * REGIONS)),
};
