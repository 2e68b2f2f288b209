// SPDX-License-Identifier: MIT
/* mincore(2) of a mapping that starts inside a file reports on that part of the file. */
#include <rssck/case.h>

enum { PAGES = 64, FIRST = 8, READ = 16 };

/*
 * Compares two mappings, one from the start of the file and one from page FIRST. The workload
 * touches neither, so mincore(2) looks up the page cache.
 */
static void read_and_map(struct workload *w)
{
	int fd = workload_file(w, PAGES);
	char *whole, *part;
	size_t page = w->page_size;

	whole = workload_map(w, PAGES * page, PROT_READ, MAP_SHARED, fd, 0);
	part = workload_map(w, (PAGES - FIRST) * page, PROT_READ, MAP_SHARED, fd,
			    (off_t)(FIRST * page));
	workload_cache(w, fd, READ);
	for (size_t i = FIRST; i < PAGES; i++) {
		int64_t there = workload_pages_in_core(w, whole + i * page, 1);

		if (i < READ && !there)
			workload_fail(
				w, "mincore reports page %zu, which was read, as not resident", i);
		if (workload_pages_in_core(w, part + (i - FIRST) * page, 1) != there)
			workload_fail(
				w,
				"mincore reports '%s' for page %zu through the mapping that starts inside the file, but the opposite through the mapping of the whole file",
				there ? "not resident" : "resident", i);
	}
}

CASE(file_mincore_part) {
	.claim = "mincore(2) reports the same for a page of a file, wherever the mapping starts",
	.because = "For a page without a page table entry __mincore_unmapped_range() looks up "
		   "the page cache at linear_page_index(), which includes the mapping's offset.",
	.said_by = SAID_BY("mincore(2)"),
	.steps = STEPS(STEP("read and map", read_and_map, MOVES(VIRT_OTHER(2 * PAGES - FIRST)))),
};
