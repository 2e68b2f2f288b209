// SPDX-License-Identifier: MIT
/*
 * Page classes from pagemap if frame numbers are hidden: the scan finds the zero pages; without it
 * their number is unknown.
 */
#include "tests/pagetable/world.h"

TEST(without_pfns_or_scan_a_shared_page_may_be_a_zero_page)
{
	w.host.sees_pfns = false;
	entry(0, PRESENT | EXCLUSIVE);
	entry(1, PRESENT);
	walk();
	assert_class(CLASS_ANON, 2);
	assert_false(w.map.pagemap.zero_known);
	assert_false(w.s.values.have[METRIC_PAGEMAP_ANON]);
	assert_false(w.s.values.have[METRIC_PAGEMAP_ZERO]);
	assert_value(&w.s.values, METRIC_PAGEMAP_PRESENT, 2);
	assert_value(&w.s.values, METRIC_PAGEMAP_FILE, 0);
}

TEST(without_pfns_exclusive_pages_are_clear)
{
	w.host.sees_pfns = false;
	entry(0, PRESENT | EXCLUSIVE);
	walk();
	assert_true(w.map.pagemap.zero_known);
	assert_value(&w.s.values, METRIC_PAGEMAP_ANON, 1);
	assert_value(&w.s.values, METRIC_PAGEMAP_ZERO, 0);
}

/* A huge zero page that PM_FILE shows is not counted again by the scan. */
TEST(without_pfns_a_huge_zero_page_is_counted_once)
{
	static const struct scan_region regions[] = {
		{ BASE, BASE + 8 * PAGE, SCAN_PRESENT | SCAN_HUGE | SCAN_PFNZERO },
		{ BASE + 8 * PAGE, BASE + 10 * PAGE, SCAN_PRESENT | SCAN_PFNZERO },
		{ BASE + 10 * PAGE, BASE + 15 * PAGE, SCAN_PRESENT },
	};

	scan_says(regions, 3);
	for (unsigned n = 0; n < 15; n++)
		entry(n, n < 8 ? PRESENT | FILE_PAGE : PRESENT);
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_ZERO, 10);
	assert_value(&w.s.values, METRIC_PAGEMAP_ANON, 5);
	/* Before 6.11 the huge zero page has no PM_FILE, so only the scan shows it. */
	for (unsigned n = 0; n < 8; n++)
		entry(n, PRESENT);
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_ZERO, 10);
	assert_value(&w.s.values, METRIC_PAGEMAP_ANON, 5);
	assert_true(w.map.pagemap.zero_known);
}

/*
 * With CONFIG_NO_PAGE_MAPCOUNT the huge zero page is marked exclusive, but it belongs to no
 * process.
 */
TEST(an_exclusive_zero_page_belongs_to_no_process)
{
	entry(0, PRESENT | FILE_PAGE | EXCLUSIVE | 7);
	entry(1, PRESENT | EXCLUSIVE | 8);
	frame(7, KPF(ZERO));
	for (int hidden = 0; hidden < 2; hidden++) {
		w.host.sees_pfns = !hidden;
		walk();
		assert_value(&w.s.values, METRIC_PAGEMAP_ZERO, 1);
		assert_value(&w.s.values, METRIC_PAGEMAP_ANON, 1);
		assert_value(&w.s.values, METRIC_PAGEMAP_EXCLUSIVE, 1);
	}
}

/*
 * The scan runs after the walk, and may find more zero pages than the walk left unclear. The
 * difference must not be negative.
 */
TEST(no_more_zero_pages_are_counted_than_the_walk_left_unclear)
{
	static const struct scan_region regions[] = { { BASE, BASE + 3 * PAGE,
							SCAN_PRESENT | SCAN_PFNZERO } };

	scan_says(regions, 1);
	entry(0, PRESENT);
	walk();
	assert_class(CLASS_ZERO, 1);
}

TEST(without_pfns_a_failed_scan_is_an_error)
{
	struct source_error e;

	scan_says(NULL, 0);
	entry(0, PRESENT);
	assert_int_equal(pagemap_read(w.pagemap, &w.host, &w.s, &e), -1);
	assert_complaint(&e, SOURCE_PAGEMAP, "cannot be walked");
	assert_int_equal(e.number, ENOTTY);
}
