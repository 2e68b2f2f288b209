// SPDX-License-Identifier: MIT
/* Checks what PAGEMAP_SCAN reports for empty entries, markers, and memory without a page table. */
#include <rssck/case.h>

enum { PAGES = 16, UFFD = 0, SHOWN = SCAN_WRITTEN | SCAN_PRESENT | SCAN_WPALLOWED | SCAN_FILE };

/* All kinds are in one page table except NO_TABLE, whose range has no table. */
enum kind { EMPTY, PROTECTED, WRITTEN, MARKER, NO_TABLE, KINDS };

/*
 * PAGE_IS_WRITTEN is not listed for empty entries: a kernel may report it for them, if it also
 * reports it for memory without a page table.
 */
static const struct {
	const char *name;
	uint64_t categories;
} kinds[KINDS] = {
	[EMPTY] = { "empty", SCAN_WPALLOWED },
	[PROTECTED] = { "protected", SCAN_WPALLOWED | SCAN_PRESENT },
	[WRITTEN] = { "written", SCAN_WPALLOWED | SCAN_PRESENT | SCAN_WRITTEN },
	[MARKER] = { "protected and empty", SCAN_WPALLOWED },
	[NO_TABLE] = { "without a page table", SCAN_WPALLOWED },
};

/*
 * All categories in `mask` must match, and one of those in `anyof`. Those in `inverted` are flipped
 * before both comparisons.
 */
#define QUESTION(mask, anyof, inverted, ...)                                       \
	{                                                                          \
		.category_mask = (mask), .category_anyof_mask = (anyof),           \
		.category_inverted = (inverted), .return_mask = SHOWN, __VA_ARGS__ \
	}

enum { EVERYTHING, IS_WRITTEN };

static const struct scan_arg questions[] = {
	[EVERYTHING] = QUESTION(0, 0, 0),
	[IS_WRITTEN] = QUESTION(SCAN_WRITTEN, 0, 0),
	QUESTION(SCAN_PRESENT, 0, 0),
	QUESTION(0, SCAN_WRITTEN, 0),
	QUESTION(0, SCAN_WRITTEN | SCAN_PRESENT, 0),
	QUESTION(SCAN_WRITTEN, 0, SCAN_WRITTEN),
	QUESTION(SCAN_PRESENT, 0, SCAN_PRESENT),
	QUESTION(0, SCAN_WRITTEN, SCAN_WRITTEN),
	QUESTION(SCAN_WRITTEN | SCAN_PRESENT, 0, SCAN_PRESENT),
	QUESTION(SCAN_WRITTEN | SCAN_PRESENT, 0, SCAN_WRITTEN),
	QUESTION(SCAN_WPALLOWED, SCAN_WRITTEN | SCAN_PRESENT, SCAN_PRESENT),
	QUESTION(SCAN_WRITTEN, 0, 0, .flags = PM_SCAN_WP_MATCHING),
};

enum { QUESTIONS = sizeof(questions) / sizeof(*questions) };

static char *at(const struct workload *w, char *region, int kind)
{
	return region +
	       (kind == NO_TABLE ? workload_table_bytes(w) : (size_t)kind * PAGES * w->page_size);
}

static uint64_t categories_of(struct workload *w, int kind, const void *p)
{
	uint64_t categories = 0;

	if (workload_scan_pages(w, &questions[EVERYTHING], p, PAGES, &categories) != PAGES)
		workload_fail(w, "%s: a scan without masks returns the wrong number of pages",
			      kinds[kind].name);
	return categories;
}

static bool matches(const struct scan_arg *q, uint64_t categories)
{
	categories ^= q->category_inverted;
	return (categories & q->category_mask) == q->category_mask &&
	       (!q->category_anyof_mask || categories & q->category_anyof_mask);
}

/*
 * Checks each query. The last one, with PM_SCAN_WP_MATCHING, protects the pages; after it only a
 * page that is written may be PAGE_IS_WRITTEN.
 */
static void ask(struct workload *w, char *p, int kind, uint64_t categories)
{
	for (size_t i = 0; i < QUESTIONS; i++)
		if (workload_scan_pages(w, &questions[i], p, PAGES, NULL) !=
		    (matches(&questions[i], categories) ? PAGES : 0))
			workload_fail(
				w,
				"%s: pages have categories %#x, but query %zu returns the wrong number of them",
				kinds[kind].name, (unsigned)categories, i);
	if (categories_of(w, kind, p) & SCAN_WRITTEN)
		workload_fail(w, "%s: pages are PAGE_IS_WRITTEN even after PM_SCAN_WP_MATCHING",
			      kinds[kind].name);
	touch_write(w, p, 1);
	if (workload_scan_pages(w, &questions[IS_WRITTEN], p, PAGES, NULL) != 1)
		workload_fail(
			w,
			"%s: the scan for written pages reports more or fewer than the one page written since",
			kinds[kind].name);
	workload_checked(w);
}

static char *make(struct workload *w, int fd)
{
	size_t bytes = 2 * workload_table_bytes(w);
	char *p = workload_aligned_map(w, bytes, bytes / 2, fd);

	/* madvise() fails on a kernel without huge pages, which does not matter. */
	madvise(p, bytes, MADV_NOHUGEPAGE);
	w->fd[UFFD] = workload_userfaultfd(w, p, bytes, UFFDIO_REGISTER_MODE_WP,
					   UFFD_FEATURE_WP_ASYNC | UFFD_FEATURE_WP_UNPOPULATED |
						   UFFD_FEATURE_WP_HUGETLBFS_SHMEM);
	touch_write(w, at(w, p, PROTECTED), 2 * PAGES);
	workload_must(w,
		      workload_userfaultfd_protect(w->fd[UFFD], at(w, p, PROTECTED),
						   3 * PAGES * w->page_size, true),
		      "UFFDIO_WRITEPROTECT");
	touch_write(w, at(w, p, WRITTEN), PAGES);
	return p;
}

/*
 * Maps, checks and unmaps in one step, because pagemap and PAGEMAP_SCAN may differ for absent
 * memory. The argument is a category that present pages have, too: PAGE_IS_FILE for shmem.
 */
static void make_and_ask(struct workload *w)
{
	size_t pages = 2 * workload_table_bytes(w) / w->page_size;
	char *p = make(w, w->argument ? workload_shmem(w, pages) : -1);
	uint64_t is[KINDS];

	for (int k = 0; k < KINDS; k++) {
		uint64_t should = kinds[k].categories;

		is[k] = categories_of(w, k, at(w, p, k));
		should |= should & SCAN_PRESENT ? (uint64_t)w->argument : 0;
		should |= k == EMPTY || k == NO_TABLE ? is[EMPTY] & SCAN_WRITTEN : 0;
		if (is[k] != should)
			workload_fail(w, "%s: pages have categories %#x, but should have %#x",
				      kinds[k].name, (unsigned)is[k], (unsigned)should);
	}
	for (int k = 0; k < KINDS; k++)
		ask(w, at(w, p, k), k, is[k]);
	workload_unmap(w, p, pages * w->page_size);
}

CASE(scanners_nothing_there) {
	.claim =
		"In memory registered with userfaultfd, PAGEMAP_SCAN reports an empty page table entry and a missing page table alike: both are PAGE_IS_WRITTEN, or neither is. Its masks and PM_SCAN_WP_MATCHING follow this report",
	.because = "pagemap_page_category() decides for an entry, and pagemap_scan_pte_hole() for "
		   "a missing page table. Older kernels, such as 6.12.43 and 7.0, do not report "
		   "absent memory as PAGE_IS_WRITTEN; newer ones, such as 6.12.103 and 7.1.13, do.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: PAGE_IS_WRITTEN"),
	.needs = NEEDS("scan"),
	.steps = STEPS(STEP("anonymous", make_and_ask, .checks = KINDS),
		       STEP("shmem", make_and_ask, .argument = SCAN_FILE, .checks = KINDS)),
};
