// SPDX-License-Identifier: MIT
/*
 * After everything is unmapped, the machine-wide counters of a guest must be back at their first
 * values.
 */
#include "fuzz/alone.h"
#include "tests/support/test.h"

static bool agree(const struct alone *before, const struct alone *now, const char *number)
{
	struct discrepancy m = { .metric = "" };
	bool as_before = alone_is_as_before(before, now, &m);

	assert_string_equal(m.metric, as_before ? "" : number);
	return as_before;
}

TEST(a_huge_page_that_stays_is_found)
{
	struct alone before = { .known = true }, now = before;

	assert_true(agree(&before, &now, ""));
	now.of[0] = 2048;
	assert_false(agree(&before, &now, "meminfo's AnonHugePages"));
	/* Outside a guest, other processes may have such pages. */
	now.known = false;
	assert_true(agree(&before, &now, ""));
}

TEST(a_count_below_0_is_found_by_the_kernel_log)
{
	struct alone before = { .known = true }, now = before, later = before;

	alone_read_record(&now, "4,812,5678,-;vmstat_refresh: nr_shmem_hugepages -16\n");
	assert_false(agree(&before, &now, "vmstat's nr_shmem_hugepages"));
	/* A negative value that stays the same is not a new finding, but a further fall is one. */
	assert_true(agree(&now, &now, ""));
	alone_read_record(&later, "4,813,5679,-;vmstat_refresh: nr_shmem_hugepages -32\n");
	assert_false(agree(&now, &later, "vmstat's nr_shmem_hugepages"));
}

TEST(counts_that_are_often_negative_are_ignored)
{
	struct alone before = { .known = true }, now = before;

	alone_read_record(&now, "4,812,5678,-;vmstat_refresh: nr_dirty -1\n");
	alone_read_record(&now, "6,814,5680,-;something else: nr_mlock -1\n");
	assert_true(agree(&before, &now, ""));
}
