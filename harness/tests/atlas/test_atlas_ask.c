// SPDX-License-Identifier: MIT
/* PAGEMAP_SCAN of this process, for one category at a time, compared with a made-up reading. */
#include "agent/agent.h"
#include "atlas/look.h"
#include "tests/support/child.h"
#include <rssck/source.h>

enum { PAGES = 8, WRITTEN = 4 };

static struct host host;
static struct look look;
static struct scan_region ranges[PAGES];
static uint64_t words[PAGES];
static struct kept_block block = { .nr = PAGES };

static void make(void)
{
	struct scan_arg arg = { .return_mask = SCAN_WRITTEN | SCAN_FILE | SCAN_PRESENT |
					       SCAN_SWAPPED | SCAN_PFNZERO | SCAN_HUGE |
					       SCAN_SOFT_DIRTY,
				.vec = (uintptr_t)ranges,
				.vec_len = PAGES };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = map_private(PAGES * page);
	int n;

	madvise(p, PAGES * page, MADV_NOHUGEPAGE);
	memset(p, 1, WRITTEN * page);
	arg.start = block.start = (uintptr_t)p;
	arg.end = arg.start + PAGES * page;
	n = agent_scan(&arg);
	if (n < 0)
		skip();
	host = (struct host) { .page_size = (long)page, .has_scan = true };
	memset(&look, 0, sizeof(look));
	look.host = &host;
	look.of[0].pid = getpid();
	look.kept[0] = (struct kept_tables) { .start = arg.start,
					      .end = arg.end,
					      .words = words,
					      .nr_words = PAGES,
					      .blocks = &block,
					      .nr_blocks = 1,
					      .ranges = ranges,
					      .nr_ranges = (size_t)n };
}

TEST(a_scan_for_one_category_agrees_with_a_scan_for_all)
{
	struct discrepancy d;
	uint64_t nr = 0;

	make();
	assert_true(ask_agrees(&look, 0, &nr, &d));
	assert_true(nr > 0);
	assert_true(ask_agrees(&look, 1, &nr, &d));
}

TEST(a_range_that_is_in_one_scan_only_is_found)
{
	struct discrepancy d;
	uint64_t nr = 0;

	make();
	ranges[0].end -= (uint64_t)host.page_size;
	assert_false(ask_agrees(&look, 0, &nr, &d));
	assert_int_equal(d.rule, RULE_SCAN_ALONE);
	assert_int_equal(d.counter, 1);
	assert_int_equal(d.precise, 0);
	assert_int_equal(look.empty, 1);
	ranges[0].end += 2 * (uint64_t)host.page_size;
	assert_false(ask_agrees(&look, 0, &nr, &d));
	assert_int_equal(d.counter, 0);
	assert_int_equal(d.precise, 1);
}
