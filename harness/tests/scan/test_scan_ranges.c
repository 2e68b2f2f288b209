// SPDX-License-Identifier: MIT
/* A set of numbers that is kept as ranges. */
#include "scan/keep/ranges.h"
#include "tests/support/test.h"

TEST(numbers_in_several_ranges_count_once)
{
	OWNED(ranges_free) struct ranges r = { .nr = 0 };

	assert_int_equal(ranges_count(&r), 0);
	ranges_add(&r, 10, 20);
	ranges_add(&r, 5, 12);
	ranges_add(&r, 20, 21);
	ranges_add(&r, 30, 30);
	ranges_add(&r, 40, 41);
	assert_int_equal(ranges_count(&r), 17);
	assert_int_equal(r.nr, 2);
	assert_int_equal(ranges_count_within(&r, 0, 6), 1);
	assert_int_equal(ranges_count_within(&r, 20, 50), 2);
	assert_true(ranges_has(&r, 5));
	assert_true(ranges_has(&r, 40));
	assert_false(ranges_has(&r, 21));
}

TEST(every_second_number_of_many_processes_takes_the_room_of_one)
{
	OWNED(ranges_free) struct ranges r = { .nr = 0 };

	for (uint64_t process = 0; process < 100; process++)
		for (uint64_t n = 0; n < 1000; n++)
			ranges_add(&r, 2 * n, 2 * n + 1);
	assert_int_equal(ranges_count(&r), 1000);
	assert_true(r.room <= 4096);
}
