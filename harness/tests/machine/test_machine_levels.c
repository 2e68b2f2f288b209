// SPDX-License-Identifier: MIT
/* Which levels of page tables the kernel counts. */
#include "machine/levels.h"
#include "tests/support/test.h"

TEST(upper_levels_are_counted_or_missing_or_unclear)
{
	assert_int_equal(levels_judge(2400, 2400, 800), LEVELS_ALL);
	assert_int_equal(levels_judge(2400, 2500, 800), LEVELS_ALL);
	assert_int_equal(levels_judge(2400, 1600, 800), LEVELS_LOWER);
	assert_int_equal(levels_judge(2400, 1700, 800), LEVELS_LOWER);
	assert_int_equal(levels_judge(2400, 2000, 800), LEVELS_UNKNOWN);
	assert_int_equal(levels_judge(2400, 9000, 800), LEVELS_UNKNOWN);
	assert_int_equal(levels_judge(2400, 100, 800), LEVELS_UNKNOWN);
	/* rssck's own page tables did not grow by those of the areas. */
	assert_int_equal(levels_judge(0, 0, 800), LEVELS_UNKNOWN);
}

static int64_t own_size(struct text *t)
{
	assert_int_equal(text_read(t, getpid(), "status"), 0);
	return strtoll(strstr(t->data, "VmSize:") + 7, NULL, 10);
}

TEST(the_areas_are_unmapped_again)
{
	OWNED(text_free) struct text t = { .data = NULL };
	int64_t before = own_size(&t);

	print_message("levels: %d\n", (int)levels_counted(&t));
	assert_true(own_size(&t) < before + 400);
}
