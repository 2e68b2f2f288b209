// SPDX-License-Identifier: MIT
/* Sums of counters that no act changes: what a change is, and what explains it. */
#include "engine/balance.h"
#include "tests/support/test.h"
#include <sys/mman.h>

enum { SIZE = 16 << 20, PAGES = 5 };

static struct balance moved(enum balance_sum sum)
{
	struct balance b = { .known = true };

	b.of[sum] = PAGES;
	return b;
}

TEST(each_sum_changes_alone)
{
	const struct balance before = { .known = true };

	for (enum balance_sum i = 0; i < NR_BALANCE_SUMS; i++) {
		const struct balance now = moved(i);

		for (enum balance_sum k = 0; k < NR_BALANCE_SUMS; k++)
			assert_int_equal(balance_change(&before, &now, k), k == i ? PAGES : 0);
	}
}

TEST(unknown_sums_do_not_change)
{
	struct balance before = { .known = false }, now = moved(BALANCE_PAGES);

	assert_int_equal(balance_change(&before, &now, BALANCE_PAGES), 0);
	assert_int_equal(balance_change(&now, &before, BALANCE_PAGES), 0);
	before.known = true;
	now.missing = 1 << BALANCE_PAGES;
	assert_int_equal(balance_change(&before, &now, BALANCE_PAGES), 0);
}

TEST(compaction_and_new_memory_change_the_free_pages)
{
	const struct balance before = { .known = true };
	struct balance now = moved(BALANCE_PAGES);

	now.compacted = PAGES;
	assert_int_equal(balance_change(&before, &now, BALANCE_PAGES), 0);
	now = moved(BALANCE_PAGES);
	now.managed = PAGES;
	assert_int_equal(balance_change(&before, &now, BALANCE_PAGES), 0);
	now = moved(BALANCE_NUMA);
	now.compacted = PAGES;
	assert_int_equal(balance_change(&before, &now, BALANCE_NUMA), PAGES);
}

TEST(memory_changes_no_sum)
{
	struct balance *before = balance_read(NULL), *now;
	void *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	assert_ptr_not_equal(map, MAP_FAILED);
	now = balance_read(before);
	for (enum balance_sum i = 0; i < NR_BALANCE_SUMS; i++)
		assert_int_equal(balance_change(before, now, i), 0);
	munmap(map, SIZE);
	free(before);
	free(now);
}
