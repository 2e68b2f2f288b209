// SPDX-License-Identifier: MIT
/* The table of tool columns. */
#include "tests/support/test.h"
#include <rssck/column.h>

TEST(every_column_names_a_metric_and_is_found)
{
	size_t nr;
	const struct column *all = columns_all(&nr);

	assert_true(nr > 100);
	for (size_t i = 0; i < nr; i++) {
		assert_true(all[i].metric < METRIC_COUNT);
		assert_true(all[i].plus != all[i].metric);
		assert_ptr_equal(column_by_name(all[i].tool, all[i].name), &all[i]);
	}
	assert_null(column_by_name("top", "rss"));
	assert_null(column_by_name("topp", "RES"));
}

/* Columns convert no units, so they cannot add pages to kB. */
TEST(metrics_that_a_column_adds_have_one_unit)
{
	size_t nr;
	const struct column *all = columns_all(&nr);

	for (size_t i = 0; i < nr; i++)
		if (all[i].plus != METRIC_NONE)
			assert_int_equal(metric(all[i].metric)->unit, metric(all[i].plus)->unit);
}

TEST(columns_of_a_metric_are_listed)
{
	char buf[400];

	assert_string_equal(columns_of_metric(METRIC_STATUS_RSSANON, buf, sizeof(buf)),
			    "top RSan, libproc2 PIDS_VM_RSS_ANON");
	assert_string_equal(columns_of_metric(METRIC_STATUS_VMSTK, buf, sizeof(buf)),
			    "ps size (with VmData), libproc2 PIDS_VM_STACK, atop VSTACK");
	assert_string_equal(columns_of_metric(METRIC_PAGEMAP_ANON, buf, sizeof(buf)), "");
}

TEST(a_list_of_columns_is_truncated_to_its_buffer)
{
	char buf[] = "abcdefghijklmnop";

	assert_string_equal(columns_of_metric(METRIC_STATUS_RSSANON, buf, 9), "top RSan");
	assert_string_equal(columns_of_metric(METRIC_STATUS_RSSANON, buf, 4), "top");
	assert_int_equal(buf[9], 'j');
}
