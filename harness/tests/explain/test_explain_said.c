// SPDX-License-Identifier: MIT
/* "Why is it 0?" is answered by the reason for the value, not by what the number means. */
#include "base/list.h"
#include "explain/relation.h"
#include "explain/said.h"
#include "tests/explain/recorded_topics.h"

/* Returns the row of said.def that answers, or -1. */
static int row_of(const char *asked)
{
	OWNED(query_free) struct query q = resolved(asked);
	size_t nr;
	const struct question *rows = said_all(&nr);

	return q.kind == QUERY_QUESTION && q.question >= rows && q.question < rows + nr
		       ? (int)(q.question - rows)
		       : -1;
}

static void assert_said(const char *asked, const char *quantity, enum said value)
{
	int row = row_of(asked);

	if (row < 0 || said_value((size_t)row) != value ||
	    !list_has(said_quantity((size_t)row), "|", quantity))
		fail_msg("'%s' is answered by row %d, %s", asked, row,
			 row < 0 ? "" : said_quantity((size_t)row));
}

TEST(every_row_is_of_a_known_quantity)
{
	size_t nr;

	said_all(&nr);
	for (size_t i = 0; i < nr; i++) {
		const char *ids = said_quantity(i);
		char id[64];

		while (list_next(&ids, "|", id, sizeof(id)))
			if (!relation_has_quantity(id) && strncmp(id, "ANY_", 4))
				fail_msg("%s is no quantity", id);
	}
}

TEST(the_value_of_a_number_is_explained)
{
	assert_said("why is SHR 0 for my process", "SHR", SAID_ZERO);
	assert_said("the SHR column of htop shows 0, why", "SHR", SAID_ZERO);
	assert_said("can RssAnon be negative", "ANY_COUNTER", SAID_NEGATIVE);
	assert_said("nr_dirtied below zero", "ANY_EVENT", SAID_NEGATIVE);
	assert_said("memory.high is max, what does that mean", "CG_HIGH", SAID_UNLIMITED);
	assert_said("MemoryMax=infinity meaning", "CG_MAX", SAID_UNLIMITED);
	assert_said("can RSS exceed the physical memory of the machine", "RSS", SAID_ABOVE_MEMORY);
	assert_said("why does buff/cache not go down after drop_caches", "BUFFCACHE", SAID_STAYS);
	assert_said("SwapFree never goes back up", "SWAPFREE", SAID_STAYS_LOW);
	assert_said("VmData keeps growing but RSS does not", "VMDATA", SAID_GROWS);
	assert_said("MemFree is low but the system is fine, is that normal", "MEMFREE", SAID_SMALL);
	assert_said("buff/cache is 30 GB, is that memory lost", "BUFFCACHE", SAID_LARGE);
}

TEST(a_second_premise_is_not_left_out)
{
	static const char *const asked[] = {
		"RssShmem 0 kB and large",
		"why is SHR 0 in the old kernel only",
		"RSS does not grow",
		"hugepages free not decreasing postgres",
		"Dirty: 0 kB",
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		if (row_of(asked[i]) >= 0)
			fail_msg("'%s' is answered by %s", asked[i],
				 said_quantity((size_t)row_of(asked[i])));
}
