// SPDX-License-Identifier: MIT
/* The one table: each metric is found by its name and by its key. */
#include "tests/support/recorded.h"

static void test_every_metric_has_a_whole_row(void **state)
{
	(void)state;
	for (unsigned id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = metric(id);

		assert_non_null(m->name);
		assert_non_null(m->key);
		assert_non_null(m->maintained);
		assert_non_null(m->prose);
		assert_true(m->source < SOURCE_COUNT);
	}
}

static void test_every_metric_is_found_by_its_name(void **state)
{
	(void)state;
	for (unsigned id = 0; id < METRIC_COUNT; id++)
		assert_int_equal(metric_by_name(metric(id)->name), id);
}

static void test_every_metric_is_found_by_its_key_from_every_hint(void **state)
{
	(void)state;
	for (unsigned id = 0; id < METRIC_COUNT; id++)
		for (unsigned hint = 0; hint <= METRIC_COUNT; hint++)
			assert_int_equal(metric_by_key(metric(id)->source, metric(id)->key,
						       strlen(metric(id)->key), hint),
					 id);
}

static void test_an_unknown_name_is_no_metric(void **state)
{
	(void)state;
	assert_int_equal(metric_by_name("status.VmNothing"), METRIC_NONE);
	assert_int_equal(metric_by_name(""), METRIC_NONE);
}

static void test_a_key_is_not_found_by_its_beginning_nor_in_another_source(void **state)
{
	(void)state;
	assert_int_equal(metric_by_key(SOURCE_STATUS, "VmRS", 4, 0), METRIC_NONE);
	assert_int_equal(metric_by_key(SOURCE_STATUS, "VmRSSx", 6, 0), METRIC_NONE);
	assert_int_equal(metric_by_key(SOURCE_STATUS, "VmRSS\0", 6, 0), METRIC_NONE);
	assert_int_equal(metric_by_key(SOURCE_STATUS, "", 0, 0), METRIC_NONE);
	assert_int_equal(metric_by_key(SOURCE_SMAPS, "VmRSS", 5, 0), METRIC_NONE);
}

static void test_a_key_need_not_be_terminated(void **state)
{
	(void)state;
	assert_int_equal(metric_by_key(SOURCE_STATUS, "VmRSS: 12 kB", 5, 0), METRIC_STATUS_VMRSS);
}

static void test_rows_of_a_source_stand_together(void **state)
{
	bool ended[SOURCE_COUNT] = { false };

	(void)state;
	for (unsigned id = 1; id < METRIC_COUNT; id++) {
		if (metric(id)->source == metric(id - 1)->source)
			continue;
		ended[metric(id - 1)->source] = true;
		assert_false(ended[metric(id)->source]);
	}
}

static void test_every_source_has_a_name(void **state)
{
	(void)state;
	for (unsigned s = 0; s < SOURCE_COUNT; s++)
		assert_non_null(source_name(s));
	assert_string_equal(source_name(SOURCE_STATM), "/proc/PID/statm");
}

static void test_every_row_says_what_it_is_and_what_it_is_not(void **state)
{
	(void)state;
	for (int id = 0; id < METRIC_COUNT; id++) {
		const char *is_not = metric_is_not(id), *prose = metric(id)->prose;

		if (!prose || !prose[0] || !is_not || !is_not[0])
			fail_msg("%s does not say it", metric(id)->name);
		assert_int_equal(prose[strlen(prose) - 1], '.');
		assert_int_equal(is_not[strlen(is_not) - 1], '.');
		assert_non_null(metric(id)->maintained);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row_says_what_it_is_and_what_it_is_not),
		cmocka_unit_test(test_every_metric_has_a_whole_row),
		cmocka_unit_test(test_every_metric_is_found_by_its_name),
		cmocka_unit_test(test_every_metric_is_found_by_its_key_from_every_hint),
		cmocka_unit_test(test_an_unknown_name_is_no_metric),
		cmocka_unit_test(test_a_key_is_not_found_by_its_beginning_nor_in_another_source),
		cmocka_unit_test(test_a_key_need_not_be_terminated),
		cmocka_unit_test(test_rows_of_a_source_stand_together),
		cmocka_unit_test(test_every_source_has_a_name),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
