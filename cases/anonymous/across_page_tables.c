// SPDX-License-Identifier: MIT
/* RSS must count the first and the last page of a page table's range, too. */
#include <rssck/case.h>

enum { TABLES = 3, REGION = 0 };

static void map(struct workload *w)
{
	w->slot[REGION] = workload_aligned_map(w, TABLES * workload_table_bytes(w),
					       workload_table_bytes(w), -1);
	workload_expect(w, VIRT_DATA(TABLES * (int64_t)(workload_table_bytes(w) / w->page_size)));
}

static void touch_edges(struct workload *w)
{
	char *p = w->slot[REGION];

	for (int i = 0; i < TABLES; i++, p += workload_table_bytes(w)) {
		touch_write(w, p, 1);
		touch_write(w, p + workload_table_bytes(w) - w->page_size, 1);
	}
}

static void give_back_two(struct workload *w)
{
	madvise((char *)w->slot[REGION] + workload_table_bytes(w) - w->page_size, 2 * w->page_size,
		MADV_DONTNEED);
}

static void fill_second(struct workload *w)
{
	touch_write(w, (char *)w->slot[REGION] + workload_table_bytes(w),
		    workload_table_bytes(w) / w->page_size);
	workload_expect(w, ANON_WRITE((int64_t)(workload_table_bytes(w) / w->page_size) - 1));
}

static void unmap_middle(struct workload *w)
{
	int64_t pages = (int64_t)(workload_table_bytes(w) / w->page_size);

	munmap((char *)w->slot[REGION] + workload_table_bytes(w) - w->page_size,
	       workload_table_bytes(w) + 2 * w->page_size);
	workload_expect(w, VIRT_DATA(-pages - 2), ANON_WRITE(-pages - 1));
}

CASE(anonymous_across_page_tables) {
	.claim =
		"Writing to the first or the last page that a page table maps raises RSS, and dropping or unmapping that page lowers RSS, as for any other page",
	.because = "Page faults, zap_pte_range() and the page table walkers work on one table at "
		   "a time. A range that is wrong by one page would skip the first or the last "
		   "page of a table.",
	.said_by = SAID_BY("Documentation/mm/process_addrs.rst"),
	.steps = STEPS(STEP("map", map),
		       STEP("touch the edges", touch_edges, MOVES(ANON_WRITE(2 * TABLES))),
		       STEP("drop two", give_back_two, MOVES(ANON_WRITE(-2))),
		       STEP("fill the second", fill_second),
		       STEP("unmap the middle", unmap_middle)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
};
