// SPDX-License-Identifier: MIT
/*
 * The charges of a cgroup, read from files that the test writes, and the charge that remains at the
 * end.
 */
#include "atlas/charge.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

static struct charge taken(const char *stat, const char *swap)
{
	struct charge c;

	unlink(in_folder("memory.stat"));
	unlink(in_folder("memory.swap.current"));
	if (stat)
		folder_put("memory.stat", stat);
	if (swap)
		folder_put("memory.swap.current", swap);
	charge_take(&c, in_folder("."));
	return c;
}

TEST(a_field_is_a_whole_word_at_the_beginning_of_a_line)
{
	struct charge c = taken("inactive_anon 4\nanon 8192\nanon_thp 7\nfile 12288\nshmem 4096\n",
				"16384\n");

	assert_true(c.known);
	assert_int_equal(c.kb[CHARGE_ANON], 8);
	assert_int_equal(c.kb[CHARGE_FILE], 12);
	assert_int_equal(c.kb[CHARGE_SHMEM], 4);
	assert_int_equal(c.kb[CHARGE_SWAP], 16);
}

TEST(a_kernel_may_lack_swap_accounting_but_not_memory_accounting)
{
	struct charge c = taken("anon 8192\nfile 0\nshmem 0\n", NULL);

	assert_true(c.known);
	assert_int_equal(c.kb[CHARGE_SWAP], 0);
	assert_false(taken("anon 8192\n", "0\n").known);
	assert_false(taken(NULL, "0\n").known);
	charge_take(&c, "");
	assert_false(c.known);
}

static const struct charge_slack slack = { .anon = 512, .lag = 512, .few = 256, .rest = 64 };

TEST(a_charge_counts_as_left_only_if_it_exceeds_the_lag)
{
	struct charge before = { true, true, { 100, 50, 0, 0 } }, now = before;
	struct charge_difference d;

	now.kb[CHARGE_ANON] += 512;
	assert_false(charge_left_behind(&before, &now, &slack, &d));
	now.kb[CHARGE_ANON]++;
	assert_true(charge_left_behind(&before, &now, &slack, &d));
	assert_string_equal(d.name, "memory.stat anon");
	assert_int_equal(d.now, 613);
	now = before;
	now.kb[CHARGE_FILE_THP] = 65;
	assert_true(charge_left_behind(&before, &now, &slack, &d));
	assert_string_equal(d.name, "memory.stat file_thp");
	now.known = false;
	assert_false(charge_left_behind(&before, &now, &slack, &d));
}

/*
 * Seen on 7.2.13 with swap on a disk: the swap cache kept 908 kB of the worker's own memory, which
 * was read back after reclaim.
 */
TEST(the_swap_cache_may_keep_no_more_than_the_worker_has)
{
	struct charge before = { true, true, { 0, 0, 0, 0 } }, now = before;
	struct charge_difference d;

	now.kb[CHARGE_SWAPCACHED] = now.kb[CHARGE_SWAP] = 512;
	assert_false(charge_left_behind(&before, &now, &slack, &d));
	now.kb[CHARGE_SWAPCACHED]++;
	assert_true(charge_left_behind(&before, &now, &slack, &d));
	assert_string_equal(d.name, "memory.stat swapcached");
}

TEST(page_cache_may_stay_charged)
{
	struct charge before = { true, true, { 0, 0, 0, 0 } }, now = before;
	struct charge_difference d;

	now.kb[CHARGE_FILE] = 1 << 20;
	assert_false(charge_left_behind(&before, &now, &slack, &d));
}

static bool falls_short(const struct charge *before, const struct charge *now, int64_t anon,
			int64_t swap, struct charge_difference *d)
{
	struct charge_least least = { .anon = anon, .swap = swap };

	return charge_falls_short(before, now, &least, d);
}

TEST(a_mapped_huge_page_is_charged_as_file_thp)
{
	struct charge before = { .known = true }, now = before;
	struct charge_least least = { .file_thp = 1536 };
	struct charge_difference d;

	now.kb[CHARGE_FILE_THP] = 1024;
	assert_true(charge_falls_short(&before, &now, &least, &d));
	assert_string_equal(d.name, "memory.stat file_thp");
	now.kb[CHARGE_FILE_THP] = -1;
	assert_false(charge_falls_short(&before, &now, &least, &d));
}

TEST(mapped_and_swapped_pages_are_charged)
{
	struct charge before = { true, true, { 100, 0, 0, 20 } }, now = before;
	struct charge_difference d;

	now.kb[CHARGE_ANON] += 8;
	assert_false(falls_short(&before, &now, 8, -64, &d));
	assert_true(falls_short(&before, &now, 9, -64, &d));
	assert_string_equal(d.name, "memory.stat anon");
	assert_int_equal(d.before, 109);
	assert_true(falls_short(&before, &now, 0, 4, &d));
	assert_string_equal(d.name, "memory.swap.current");
	now.has_swap = false;
	assert_false(falls_short(&before, &now, 0, 4, &d));
}
