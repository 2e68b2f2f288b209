// SPDX-License-Identifier: MIT
/* Which levels of page tables the kernel counts. */
#include "machine/levels.h"
#include "tests/support/test.h"
#include <sys/mman.h>

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

/* Returns how many of the places that levels.c tries are mapped. */
static int mapped(void)
{
	int nr = 0;

	for (uintptr_t i = 1; i <= 200; i++) {
		unsigned char resident;

		nr += mincore((void *)(i << 39), 1, &resident) == 0;
	}
	return nr;
}

TEST(the_areas_are_unmapped_again)
{
	int before = mapped();

	print_message("levels: %d\n", (int)levels_counted());
	assert_int_equal(mapped(), before);
}
