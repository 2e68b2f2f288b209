// SPDX-License-Identifier: MIT
/* The table of metrics: each metric is found by its name and by its key. */
#include "tests/support/recorded.h"

TEST(every_metric_has_a_complete_row)
{
	for (unsigned id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = metric(id);

		assert_non_null(m->name);
		assert_non_null(m->key);
		assert_non_null(m->maintained);
		assert_non_null(m->prose);
		assert_true(m->source < SOURCE_COUNT);
	}
}

TEST(every_metric_is_found_by_its_name)
{
	for (unsigned id = 0; id < METRIC_COUNT; id++)
		assert_int_equal(metric_by_name(metric(id)->name), id);
}

TEST(every_metric_is_found_by_its_key_with_any_hint)
{
	for (unsigned id = 0; id < METRIC_COUNT; id++)
		for (unsigned hint = 0; hint <= METRIC_COUNT; hint++)
			assert_int_equal(metric_by_key(metric(id)->source, metric(id)->key,
						       strlen(metric(id)->key), hint),
					 id);
}

TEST(an_unknown_name_is_no_metric)
{
	assert_int_equal(metric_by_name("status.VmNothing"), METRIC_NONE);
	assert_int_equal(metric_by_name(""), METRIC_NONE);
}

TEST(a_key_matches_only_whole_and_in_its_source)
{
	assert_int_equal(metric_by_key(SOURCE_STATUS, "VmRS", 4, 0), METRIC_NONE);
	assert_int_equal(metric_by_key(SOURCE_STATUS, "VmRSSx", 6, 0), METRIC_NONE);
	assert_int_equal(metric_by_key(SOURCE_STATUS, "VmRSS\0", 6, 0), METRIC_NONE);
	assert_int_equal(metric_by_key(SOURCE_STATUS, "", 0, 0), METRIC_NONE);
	assert_int_equal(metric_by_key(SOURCE_SMAPS, "VmRSS", 5, 0), METRIC_NONE);
}

TEST(a_key_need_not_be_terminated)
{
	assert_int_equal(metric_by_key(SOURCE_STATUS, "VmRSS: 12 kB", 5, 0), METRIC_STATUS_VMRSS);
}

TEST(the_rows_of_a_source_are_consecutive)
{
	bool ended[SOURCE_COUNT] = { false };

	for (unsigned id = 1; id < METRIC_COUNT; id++) {
		if (metric(id)->source == metric(id - 1)->source)
			continue;
		ended[metric(id - 1)->source] = true;
		assert_false(ended[metric(id)->source]);
	}
}

TEST(every_source_has_a_name)
{
	for (unsigned s = 0; s < SOURCE_COUNT; s++)
		assert_non_null(source_name(s));
	assert_string_equal(source_name(SOURCE_STATM), "/proc/PID/statm");
}

TEST(every_row_has_a_description_and_a_contrast)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		const char *is_not = metric_is_not(id), *prose = metric(id)->prose;

		if (!prose || !prose[0] || !is_not || !is_not[0])
			fail_msg("%s lacks a description or a contrast", metric(id)->name);
		assert_int_equal(prose[strlen(prose) - 1], '.');
		assert_int_equal(is_not[strlen(is_not) - 1], '.');
		assert_non_null(metric(id)->maintained);
	}
}
