// SPDX-License-Identifier: MIT
/* Sums of counters that no act changes: what a change is, and what explains it. */
#include "engine/balance.h"
#include "tests/support/test.h"
#include <sys/mman.h>

enum { SIZE = 16 << 20, CHANGE = 5, SETTLED = 5, TRIES = 5 };

static struct balance made_up(int64_t pages, int64_t foreign)
{
	return (struct balance) { .known = true,
				  .of = { [BALANCE_PAGES] = { pages, SETTLED, false, false },
					  [BALANCE_FOREIGN] = { foreign, SETTLED, false,
								false } } };
}

TEST(each_sum_changes_alone)
{
	const struct balance before = made_up(0, 1), now = made_up(CHANGE, 1);

	assert_int_equal(balance_change(&before, &now, BALANCE_PAGES), CHANGE);
	assert_int_equal(balance_change(&before, &now, BALANCE_FOREIGN), 0);
}

TEST(sums_that_are_not_known_do_not_change)
{
	struct balance before = made_up(0, 0), now = made_up(CHANGE, CHANGE);

	now.of[BALANCE_PAGES].agreed = SETTLED - 1;
	assert_int_equal(balance_change(&before, &now, BALANCE_PAGES), 0);
	assert_int_equal(balance_change(&now, &before, BALANCE_PAGES), 0);
	now.of[BALANCE_FOREIGN].missing = true;
	assert_int_equal(balance_change(&before, &now, BALANCE_FOREIGN), 0);
	now = made_up(CHANGE, CHANGE);
	before.known = false;
	assert_int_equal(balance_change(&before, &now, BALANCE_FOREIGN), 0);
}

TEST(compaction_and_new_memory_change_the_free_pages)
{
	const struct balance before = made_up(0, 0);
	struct balance now = made_up(CHANGE, CHANGE);

	now.compacted = 1;
	assert_int_equal(balance_change(&before, &now, BALANCE_PAGES), 0);
	assert_int_equal(balance_change(&before, &now, BALANCE_FOREIGN), CHANGE);
	now.compacted = 0;
	now.managed = 1;
	assert_int_equal(balance_change(&before, &now, BALANCE_PAGES), 0);
}

static bool memory_changes_one(void)
{
	struct balance *before = balance_read(NULL), *now;
	bool changes = false;
	void *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	assert_ptr_not_equal(map, MAP_FAILED);
	now = balance_read(before);
	for (enum balance_id i = 0; i < BALANCE_SUMS; i++)
		changes = changes || balance_change(before, now, i);
	munmap(map, SIZE);
	free(before);
	free(now);
	return changes;
}

/* A CPU may stand still in the middle of an allocation while all readings are made. */
TEST(memory_changes_no_sum)
{
	bool changes = true;

	for (int i = 0; i < TRIES && changes; i++)
		changes = memory_changes_one();
	assert_false(changes);
}
