// SPDX-License-Identifier: MIT
/*
 * Each known bug is excused only if its condition is true. Without the condition, or under another
 * rule, the difference is a finding.
 */
#include "fuzz/known.h"
#include "tests/support/test.h"
#include <rssck/bug_id.h>

enum { KB = 4 };

static struct ledger l;
static struct ledger_place place = { 0x10000000, 0x1000000, 4096, true };
static struct mapping map;
static struct snapshot s, baseline;
static uint64_t met[BUG_COUNT];

FIXTURE(begin)
{
	map = (struct mapping) {
		.name = "", .flags = "", .start = place.arena, .end = place.arena + 0x1000
	};
	s = (struct snapshot) { .maps = &map, .nr_maps = 1 };
	baseline = (struct snapshot) { .nr_maps = 0 };
	place.sees_pfns = true;
	memset(met, 0, sizeof(met));
	ledger_open(&l, 512);
	ledger_begin(&l);
	return 0;
}

FIXTURE(end)
{
	ledger_close(&l);
	return 0;
}

static bool excused(enum rule_id rule, const char *metric, int64_t seen, int64_t expected)
{
	const struct known_about about = {
		.l = &l, .s = &s, .baseline = &baseline, .place = &place, .met = met
	};
	struct discrepancy d;

	discrepancy_set(&d, rule, "pages", seen, expected, "%s", metric);
	return known_excuses(&about, &d);
}

TEST(nothing_is_excused_in_an_ordinary_process)
{
	map.pagemap.uffd_wp = 1;
	for (enum rule_id id = RULE_NONE; id < RULE_COUNT; id++)
		for (int k = 0; k < METRIC_COUNT; k++)
			assert_false(excused(id, metric(k)->name, 5, 4));
}

TEST(markers_excuse_exactly_their_number)
{
	l.of[0].regions[0].top = 16;
	l.of[0].regions[0].markers = 3;
	assert_true(excused(RULE_SCAN_SWAPPED, "scan.swapped", 7, 4));
	assert_int_equal(met[BUG_SCAN_HUGETLB_MARKER], 1);
	assert_false(excused(RULE_SCAN_SWAPPED, "scan.swapped", 8, 4));
	assert_false(excused(RULE_SCAN_SWAPPED, "scan.swapped", 6, 4));
	assert_true(excused(RULE_MOVED, "scan.swapped", 7, 4));
	assert_true(
		excused(RULE_MAPPING_SCAN_SWAPPED, "PAGEMAP_SCAN swapped of (anonymous)", 7, 4));
	assert_false(
		excused(RULE_MAPPING_SCAN_SWAPPED, "PAGEMAP_SCAN swapped of (anonymous)", 8, 4));
	assert_false(
		excused(RULE_MAPPING_SCAN_PRESENT, "PAGEMAP_SCAN present of (anonymous)", 7, 4));
	assert_true(excused(RULE_PAGEMAP_SWAP, "pagemap.swap", 1, 4));
	assert_false(excused(RULE_PAGEMAP_SWAP, "pagemap.swap", 0, 4));
	assert_false(excused(RULE_MOVED, "status.VmRSS", 7, 4));
}

TEST(protected_guards_excuse_only_counts_of_written_pages)
{
	l.of[0].regions[0].top = 16;
	l.of[0].regions[0].protected_guards = 2;
	assert_true(excused(RULE_SCAN_WRITTEN, "scan.written", 6, 4));
	assert_false(excused(RULE_SCAN_WRITTEN, "scan.written", 7, 4));
	assert_true(excused(RULE_MAPPING_SCAN_WRITTEN, "PAGEMAP_SCAN written of x", 2, 4));
	assert_false(excused(RULE_MAPPING_SCAN_WRITTEN, "PAGEMAP_SCAN written of x", 1, 4));
}

TEST(hidden_markers_may_make_VmSwap_smaller)
{
	l.of[0].regions[0].top = 16;
	l.of[0].regions[0].markers = 3;
	assert_false(excused(RULE_COUNTER, "status.VmSwap", 1, 4));
	place.sees_pfns = false;
	assert_true(excused(RULE_COUNTER, "status.VmSwap", 1, 4));
	assert_false(excused(RULE_COUNTER, "status.VmSwap", 0, 4));
	assert_false(excused(RULE_COUNTER, "status.VmSwap", 5, 4));
	assert_false(excused(RULE_COUNTER, "status.RssAnon", 1, 4));
}

TEST(a_huge_page_excuses_only_rules_on_exclusive_pages)
{
	assert_false(excused(RULE_FRAMES_ONCE, "kpagecount.once", 0, 512));
	s.values.have[METRIC_SMAPS_ANONHUGEPAGES] = true;
	s.values.of[METRIC_SMAPS_ANONHUGEPAGES] = 512 * KB;
	assert_true(excused(RULE_FRAMES_ONCE, "kpagecount.once", 0, 512));
	assert_false(excused(RULE_FRAMES_ONCE, "kpagecount.once", 0, 513));
	assert_true(excused(RULE_MAPPING_FRAMES_ONCE, "kpagecount.once of x", 512, 0));
	assert_true(excused(RULE_MAPPING_PRIVATE, "Private of x", 512, 0));
	assert_false(excused(RULE_MAPPING_PRIVATE_HUGETLB, "Private_Hugetlb of x", 512, 0));
	assert_false(excused(RULE_FRAMES_COUNTED, "kpagecount.once", 0, 512));
	assert_false(excused(RULE_MOVED, "kpagecount.once", 0, 512));
	assert_int_equal(met[BUG_EXCLUSIVE_FIRST_PAGE], 3);
}

TEST(an_unreadable_huge_page_may_be_missing_in_any_number)
{
	map.pagemap.of[CLASS_ANON] = 512;
	assert_true(excused(RULE_COUNTER, "status.VmRSS", 512, 0));
	assert_false(excused(RULE_COUNTER, "status.VmRSS", 513, 0));
	map.readable = true;
	assert_false(excused(RULE_COUNTER, "status.VmRSS", 512, 0));
}

TEST(a_large_swap_entry_may_exceed_its_mapping)
{
	map.inode = 7;
	map.smaps[METRIC_SMAPS_SWAP - METRIC_SMAPS_FIRST] = KB;
	assert_false(excused(RULE_ROLLUP_SWAP, "smaps_rollup.Swap", 5, 4));
	map.smaps[METRIC_SMAPS_SWAP - METRIC_SMAPS_FIRST] = KB + 1;
	assert_true(excused(RULE_ROLLUP_SWAP, "smaps_rollup.Swap", 5, 4));
	assert_true(excused(RULE_MOVED, "smaps.Swap", 5, 4));
	assert_true(excused(RULE_SWAPPSS_SWAP, "smaps.SwapPss", 5, 4));
	assert_false(excused(RULE_MOVED, "smaps.Rss", 5, 4));
	map.inode = 0;
	assert_false(excused(RULE_ROLLUP_SWAP, "smaps_rollup.Swap", 5, 4));
}

TEST(lost_locks_excuse_exactly_their_number)
{
	l.of[0].lost_locks = 3;
	assert_true(excused(RULE_VMLCK_MAPPINGS, "status.VmLck", 7, 4));
	assert_false(excused(RULE_VMLCK_MAPPINGS, "status.VmLck", 8, 4));
	assert_false(excused(RULE_VMDATA_MAPPINGS, "status.VmData", 7, 4));
	assert_int_equal(met[BUG_DONTUNMAP_LOCKED], 1);
	l.of[0].dontunmap_beside = true;
	assert_true(excused(RULE_MOVED, "status.VmLck", 7, 4));
	assert_int_equal(met[BUG_DONTUNMAP_SELF_MERGE], 1);
}

/*
 * The page's mapping may have merged with memory that mremap(2) moved, and so have lost its
 * userfaultfd registration.
 */
TEST(uffd_wp_without_userfaultfd_is_excused_only_after_a_move)
{
	struct ledger_region *r = &l.of[0].regions[0];

	map.pagemap.uffd_wp = 1;
	free(r->pages);
	r->pages = calloc(ACT_REGION_PAGES, sizeof(*r->pages));
	assert_non_null(r->pages);
	r->pages[0].watch = WATCH_MAY_BE_LOST;
	r->pages[0].seen_protected = DIRTY;
	r->top = 16;
	assert_true(excused(RULE_MAPPING_UFFD_WP, "bit 57 of (anonymous)", 1, 0));
	assert_int_equal(met[BUG_MREMAP_UNWATCHES], 1);
	r->pages[0].watch = WATCH_SEEN;
	assert_false(excused(RULE_MAPPING_UFFD_WP, "bit 57 of (anonymous)", 1, 0));
}

TEST(soft_dirty_of_hugetlb_is_a_flag_of_the_mapping)
{
	assert_false(excused(RULE_MAPPING_SCAN_SOFT_DIRTY,
			     "PAGEMAP_SCAN soft-dirty of /anon_hugepage", 1, 0));
	map.flags = "rd ht";
	assert_true(excused(RULE_MAPPING_SCAN_SOFT_DIRTY,
			    "PAGEMAP_SCAN soft-dirty of /anon_hugepage", 1, 0));
	assert_false(excused(RULE_MAPPING_SCAN_SOFT_DIRTY, "PAGEMAP_SCAN soft-dirty of (anonymous)",
			     1, 0));
	assert_false(
		excused(RULE_MAPPING_SCAN_PRESENT, "PAGEMAP_SCAN present of /anon_hugepage", 1, 0));
}

TESTS_EACH(begin, end);
