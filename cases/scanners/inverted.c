// SPDX-License-Identifier: MIT
/* PAGEMAP_SCAN: an inverted category matches where it is absent, in each of the two masks. */
#include <rssck/case.h>
#include <rssck/source.h>

enum { PAGES = 16, UNTOUCHED = 0, ANON = 1, FILE_PAGES = 2, REGIONS = 3 };

static void map(struct workload *w)
{
	w->slot[UNTOUCHED] = workload_anonymous(w, PAGES);
	w->slot[ANON] = workload_written(w, PAGES);
	w->slot[FILE_PAGES] = workload_map(w, PAGES * w->page_size, PROT_READ, MAP_SHARED,
					   workload_file(w, PAGES), 0);
	touch_read(w, w->slot[FILE_PAGES], PAGES);
}

/* What is asked for, and whether untouched, anonymous and file pages are that. */
static const struct question {
	uint64_t inverted, mask, anyof;
	bool matches[REGIONS];
} questions[] = {
	{ 0, SCAN_PRESENT, 0, { false, true, true } },
	{ SCAN_PRESENT, SCAN_PRESENT, 0, { true, false, false } },
	{ 0, 0, SCAN_PRESENT | SCAN_FILE, { false, true, true } },
	{ SCAN_PRESENT, 0, SCAN_PRESENT | SCAN_FILE, { true, false, true } },
	{ SCAN_PRESENT, 0, SCAN_PRESENT, { true, false, false } },
	{ SCAN_FILE, SCAN_PRESENT, SCAN_FILE, { false, true, false } },
	{ SCAN_FILE,
	  SCAN_PRESENT | SCAN_FILE,
	  SCAN_SWAPPED | SCAN_PRESENT,
	  { false, true, false } },
};

enum { QUESTIONS = sizeof(questions) / sizeof(*questions) };

static int64_t found(struct workload *w, const struct question *q, const void *p)
{
	struct scan_region regions[PAGES];
	struct scan_arg arg = {
		.size = sizeof(arg),
		.start = (uint64_t)(uintptr_t)p,
		.end = (uint64_t)(uintptr_t)p + PAGES * w->page_size,
		.vec = (uint64_t)(uintptr_t)regions,
		.vec_len = PAGES,
		.category_inverted = q->inverted,
		.category_mask = q->mask,
		.category_anyof_mask = q->anyof,
		.return_mask = SCAN_PRESENT | SCAN_FILE,
	};
	int n = workload_scan(w, &arg);
	int64_t pages = 0;

	for (int i = 0; i < n; i++)
		pages += (int64_t)((regions[i].end - regions[i].start) / w->page_size);
	return pages;
}

static void ask(struct workload *w)
{
	for (size_t i = 0; i < QUESTIONS; i++)
		for (int region = 0; region < REGIONS; region++) {
			const struct question *q = &questions[i];
			int64_t n = found(w, q, w->slot[region]);

			workload_asked(w);
			if (n != (q->matches[region] ? PAGES : 0))
				workload_fail(
					w, "inverted %#x, mask %#x, anyof %#x: %d of %d %s pages",
					(unsigned)q->inverted, (unsigned)q->mask,
					(unsigned)q->anyof, (int)n, PAGES,
					region == UNTOUCHED ? "untouched"
					: region == ANON    ? "anonymous"
							    : "file");
		}
}

CASE(scanners_inverted) {
	.claim =
		"PAGEMAP_SCAN: a category named in category_inverted matches where it is absent, in "
		"category_mask and in category_anyof_mask",
	.because =
		"pagemap_scan_is_interesting_page() flips the inverted categories of a page once, "
		"before it holds them against both masks.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: 'category_inverted'"),
	.needs = NEEDS("scan"),
	.steps = STEPS(STEP("map, write and read", map,
			    MOVES(VIRT_DATA(2 * PAGES), VIRT_OTHER(PAGES), ANON_WRITE(PAGES),
				  FILE_READ(PAGES))),
		       STEP("ask", ask, .asks = QUESTIONS * REGIONS)),
};
