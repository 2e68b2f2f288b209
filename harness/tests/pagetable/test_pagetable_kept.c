// SPDX-License-Identifier: MIT
/* What one reader has read from page tables is kept for the next reader. */
#include "tests/support/test.h"
#include <rssck/source.h>

TEST(kept_entries_are_found_by_their_mapping)
{
	static const uint64_t words[] = { 11, 12, 13 };
	struct kept_tables k = { .start = 0x10000, .end = 0x90000 };
	struct mapping m = { .start = 0x20000, .end = 0x23000 };
	const uint64_t *found;
	size_t n;

	kept_add_words(&k, 0x1000, words,
		       3); /* these addresses are outside the range that is kept */
	kept_add_words(&k, 0x20000, words, 2);
	kept_add_words(&k, 0x22000, words + 2, 1);
	kept_add_words(&k, 0x30000, words, 1);
	found = kept_words(&k, &m, &n);
	assert_int_equal(n, 3);
	assert_int_equal(found[2], 13);
	m = (struct mapping) { .start = 0x40000, .end = 0x41000 };
	assert_null(kept_words(&k, &m, &n));
	assert_int_equal(n, 0);
	kept_free(&k);
}

TEST(a_kept_mapping_is_reused_while_smaps_is_unchanged)
{
	struct mapping before = { .start = 0x1000, .end = 0x2000, .name = "", .flags = "rd wr" };
	struct mapping now = before;
	struct snapshot s = { .maps = &before, .nr_maps = 1 };
	struct kept_tables k = { .start = 0x10000, .end = 0x90000, .before = &s };

	assert_ptr_equal(kept_mapping(&k, &now), &before);
	now.smaps[METRIC_SMAPS_RSS - METRIC_SMAPS_FIRST] = 4;
	assert_null(kept_mapping(&k, &now));
	now = before;
	now.flags = "rd wr sd";
	assert_null(kept_mapping(&k, &now));
	now = before;
	k.start = 0;
	assert_null(kept_mapping(&k, &now));
}
