// SPDX-License-Identifier: MIT
/* Sums of counters that no act changes: what a change is, and what explains it. */
#include "engine/balance.h"
#include "tests/support/test.h"
#include <sys/mman.h>

enum { SIZE = 16 << 20, CHANGE = 5, SETTLED = 5 };

static struct balance made_up(int64_t pages, int64_t events)
{
	return (struct balance) { .of = { { "pgalloc_* - pgfree + free pages", pages, SETTLED,
					    false },
					  { "pgfault", events, SETTLED, false } },
				  .nr = 2 };
}

TEST(each_sum_changes_alone)
{
	const struct balance before = made_up(0, 1), now = made_up(CHANGE, 1);

	assert_int_equal(balance_change(&before, &now, 0), CHANGE);
	assert_int_equal(balance_change(&before, &now, 1), 0);
	assert_int_equal(balance_change(&before, &now, 2), 0);
}

TEST(sums_that_have_not_settled_do_not_change)
{
	struct balance before = made_up(0, 0), now = made_up(CHANGE, CHANGE);

	now.of[0].agreed = SETTLED - 1;
	assert_int_equal(balance_change(&before, &now, 0), 0);
	assert_int_equal(balance_change(&now, &before, 0), 0);
	before.nr = 1;
	assert_int_equal(balance_change(&before, &now, 1), 0);
}

TEST(compaction_and_new_memory_change_the_free_pages)
{
	const struct balance before = made_up(0, 0);
	struct balance now = made_up(CHANGE, CHANGE);

	now.compacted = 1;
	assert_int_equal(balance_change(&before, &now, 0), 0);
	assert_int_equal(balance_change(&before, &now, 1), CHANGE);
	now.compacted = 0;
	now.managed = 1;
	assert_int_equal(balance_change(&before, &now, 0), 0);
}

TEST(memory_changes_no_sum)
{
	struct balance *before = balance_read(NULL), *now;
	void *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	assert_ptr_not_equal(map, MAP_FAILED);
	now = balance_read(before);
	for (size_t i = 0; i < now->nr; i++)
		assert_int_equal(balance_change(before, now, i), 0);
	munmap(map, SIZE);
	free(before);
	free(now);
}
