// SPDX-License-Identifier: MIT
/* The differences in a worker's counters that remain after everything is unmapped. */
#include "atlas/rest.h"
#include "tests/support/test.h"

static struct values now;

static bool differs(int64_t swap, int64_t anon, bool reclaimed)
{
	static struct values before;
	static struct models exact;
	struct rest_difference d;

	for (unsigned i = 0; i < METRIC_COUNT; i++)
		exact.of[i].kind = MODEL_ABSENT;
	exact.of[METRIC_STATUS_RSSANON].kind = MODEL_EXACT;
	before.have[METRIC_STATUS_VMSWAP] = before.have[METRIC_STATUS_RSSANON] = true;
	before.of[METRIC_STATUS_RSSANON] = 1000;
	now.of[METRIC_STATUS_VMSWAP] = swap;
	now.of[METRIC_STATUS_RSSANON] = 1000 + anon;
	return rest_differs(&before, &now, &exact, true, reclaimed, &d);
}

TEST(pages_on_swap_are_neither_lost_nor_left_behind)
{
	assert_false(differs(0, 0, false));
	assert_false(differs(504, -504, true));
}

TEST(without_reclaim_each_number_returns_to_its_first_value)
{
	assert_true(differs(504, -504, false));
	assert_true(differs(0, 4, false));
}

TEST(swap_beyond_what_memory_lost_is_left_behind)
{
	assert_true(differs(100000, -504, true));
	assert_true(differs(100000, 0, true));
}
