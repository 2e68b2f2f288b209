// SPDX-License-Identifier: MIT
/* PAGEMAP_SCAN of a large range finds each page once, however long its vector is. */
#include "large.h"

/* The kernel's own buffer takes 512 ranges, with pages of 4 KiB. */
static const uint64_t vectors[] = { 1, 7, 511, 512, 513, 1000, 1U << 20 };

enum { VECTORS = sizeof(vectors) / sizeof(*vectors) };

/*
 * Scans [at, end). Marks the pages that it finds in `found`, and returns where to continue: at the
 * end of the last range, or at the end if the vector was not filled.
 */
static uint64_t scan_part(struct workload *w, uint64_t at, uint64_t length, unsigned char *found)
{
	size_t bytes = large_answer_pages(w) * w->page_size - large_pages(w);
	struct scan_region *regions = (void *)(found + (large_pages(w) + 7) / 8 * 8);
	uint64_t start = (uintptr_t)large_page(w, 0),
		 end = (uintptr_t)large_page(w, large_pages(w));
	uint64_t most = bytes / sizeof(*regions) - 1;
	struct scan_arg arg = { SCAN_OF(at, end - at, regions, length < most ? length : most),
				.category_mask = SCAN_PRESENT, .return_mask = SCAN_PRESENT };
	int n = workload_scan(w, &arg);

	for (int i = 0; i < n; i++) {
		if (regions[i].start < at || regions[i].end > end ||
		    regions[i].start >= regions[i].end)
			workload_fail(w, "range %d of %d is outside the range that remains", i, n);
		for (at = regions[i].start; at < regions[i].end; at += w->page_size)
			found[(at - start) / w->page_size]++;
	}
	return (uint64_t)n == arg.vec_len ? at : end;
}

static void scan(struct workload *w)
{
	uint64_t end = (uintptr_t)large_page(w, large_pages(w));
	unsigned char *found = w->slot[LARGE_ANSWERS];

	for (size_t k = 0; k < VECTORS; k++) {
		memset(found, 0, large_pages(w));
		for (uint64_t at = (uintptr_t)large_page(w, 0); at < end;)
			at = scan_part(w, at, vectors[k], found);
		for (size_t i = 0; i < large_pages(w); i++)
			if (found[i] != large_is_written(w, i))
				large_wrong(w, "PAGEMAP_SCAN", i, found[i]);
		workload_checked(w);
	}
}

CASE(scanners_large_scan) {
	.claim = "PAGEMAP_SCAN of a large range finds each present page once, and no other, with a "
		 "vector of any length",
	.because = "do_pagemap_scan() fills the vector in parts of 512 ranges (with 4 KiB pages), "
		   "and walks on after each part. If it walked on from the wrong page, the pages "
		   "after the first part would be missing or be found twice.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: 'vec_len'"),
	.needs = NEEDS("scan"),
	.steps = STEPS(STEP("write some pages of a large mapping", large_map),
		       STEP("scan with vectors of several lengths", scan, .checks = VECTORS)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
};
