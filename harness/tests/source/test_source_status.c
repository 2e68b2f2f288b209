// SPDX-License-Identifier: MIT
/* /proc/PID/status: its memory fields. */
#include "source/parse.h"
#include "tests/support/recorded.h"

static struct values v;
static struct source_error e;

FIXTURE(begin)
{
	memset(&v, 0, sizeof(v));
	memset(&e, 0, sizeof(e));
	return 0;
}

static int status_text(const char *text)
{
	return READ_TEXT(status_read, text, strlen(text), &v, &e);
}

TEST(status_reads_kilobytes)
{
	OWNED(bytes_free) struct bytes b = recorded("6.18", "odd.status");

	assert_int_equal(status_read(b.data, b.len, &v, &e), 0);
	assert_value(&v, METRIC_STATUS_VMSIZE, 2256);
	assert_value(&v, METRIC_STATUS_VMLCK, 4);
	assert_value(&v, METRIC_STATUS_VMRSS, 756);
	assert_value(&v, METRIC_STATUS_RSSANON, 64);
	assert_value(&v, METRIC_STATUS_RSSFILE, 684);
	assert_value(&v, METRIC_STATUS_RSSSHMEM, 8);
	assert_value(&v, METRIC_STATUS_VMSTK, 132);
	assert_value(&v, METRIC_STATUS_HUGETLB, 0);
	assert_value(&v, METRIC_STATUS_THP_ENABLED, 1);
}

/*
 * task_mem() prints unsigned longs in kB, so a kernel that subtracted too much prints 2^64 minus a
 * few.
 */
TEST(a_total_that_fell_below_zero_is_negative)
{
	struct snapshot s = { .pid = 0 };

	assert_int_equal(status_text("VmData:\t18446744073709551532 kB\n"), 0);
	assert_value(&v, METRIC_STATUS_VMDATA, -84);
	s.values = v;
	assert_int_equal(snapshot_pages(&s, METRIC_STATUS_VMDATA, 4096), -21);
}

TEST(every_recorded_kernel_prints_every_field)
{
	for (int i = 0; i < RECORDED_KERNELS; i++) {
		OWNED(bytes_free) struct bytes b = recorded(recorded_kernels[i], "small.status");
		struct values v = { .have = { false } };

		assert_int_equal(status_read(b.data, b.len, &v, &e), 0);
		assert_all_printed(&v, METRIC_STATUS_FIRST, METRIC_STATUS_LAST, recorded_kernels[i],
				   "small.status");
	}
}

TEST(a_zombie_has_no_memory_fields_and_that_is_no_error)
{
	for (int i = 0; i < RECORDED_KERNELS; i++) {
		OWNED(bytes_free) struct bytes b = recorded(recorded_kernels[i], "zombie.status");
		struct values v = { .have = { false } };

		assert_int_equal(status_read(b.data, b.len, &v, &e), 0);
		assert_false(v.have[METRIC_STATUS_VMRSS]);
		assert_false(v.have[METRIC_STATUS_VMSIZE]);
	}
}

TEST(a_missing_field_is_absent_and_not_zero)
{
	assert_int_equal(status_text("Name:\tx\nVmRSS:\t 12 kB\n"), 0);
	assert_value(&v, METRIC_STATUS_VMRSS, 12);
	assert_false(v.have[METRIC_STATUS_RSSANON]);
}

TEST(values_of_an_earlier_read_are_cleared)
{
	assert_int_equal(status_text("VmRSS:\t12 kB\nVmSwap:\t4 kB\n"), 0);
	assert_int_equal(status_text("VmRSS:\t16 kB\n"), 0);
	assert_value(&v, METRIC_STATUS_VMRSS, 16);
	assert_false(v.have[METRIC_STATUS_VMSWAP]);
}

TEST(unknown_fields_and_other_lines_do_no_harm)
{
	assert_int_equal(status_text("Name:\tVmRSS: 5 kB\nSigQ:\t0/1\nGroups:\t \nno colon\n"
				     "VmFuture:\t what it likes\nVmRSS:\t12 kB\n"),
			 0);
	assert_value(&v, METRIC_STATUS_VMRSS, 12);
}

TEST(memory_fields_of_a_future_kernel_are_listed)
{
	static const char text[] = "Name:\tx\nVmFuture:\t 12 kB\nRssDevice:\t0 kB\nSigQ:\t0/1\n";
	struct snapshot s = { .pid = 0 };

	assert_int_equal(
		status_parse((struct span) { text, text + sizeof(text) - 1 }, &s.values, &s, &e),
		0);
	assert_int_equal(s.nr_unknown, 2);
	assert_int_equal(s.unknown[0].source, SOURCE_STATUS);
	assert_string_equal(s.unknown[0].key, "VmFuture");
	assert_string_equal(s.unknown[0].value, "12 kB");
	assert_string_equal(s.unknown[1].key, "RssDevice");
}

TEST(columns_of_a_future_kernel_are_listed)
{
	static const char text[] = "1 2 3 4 5 6 7 8 nine\n";
	struct snapshot s = { .pid = 0 };

	assert_int_equal(
		statm_parse((struct span) { text, text + sizeof(text) - 1 }, &s.values, &s, &e), 0);
	assert_int_equal(s.nr_unknown, 2);
	assert_string_equal(s.unknown[1].key, "9");
	assert_string_equal(s.unknown[1].value, "nine");
}

TEST(the_error_names_the_wrong_field_of_status)
{
	static const struct wrong wrong[] = {
		{ "", "is empty" },
		{ "Name:\tx\nVmRSS:\t12 k", "is cut off in line 2" },
		{ "VmRSS:\t12\n", "VmRSS is not in kB" },
		{ "VmRSS:\t12 MB\n", "VmRSS is not in kB" },
		{ "VmRSS:\t12kB\n", "VmRSS is not in kB" },
		{ "VmRSS:\t12 kB 3\n", "VmRSS is not in kB" },
		{ "VmRSS:\t\n", "VmRSS is not a number" },
		{ "VmRSS:\tkB\n", "VmRSS is not a number" },
		{ "VmRSS:\t9223372036854775808 kB\n", "VmRSS is too large" },
		{ "VmRSS:\t12 kB\nVmRSS:\t12 kB\n", "VmRSS occurs twice" },
		{ "VmRSS\t12 kB\n", "line 1 has no colon" },
		{ "THP_enabled:\t1 kB\n", "THP_enabled is not a number" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(status_text("VmRSS:\t12 kB\n"), 0);
		assert_int_equal(status_text(wrong[i].text), -1);
		assert_complaint(&e, SOURCE_STATUS, wrong[i].complaint);
		assert_all_absent(&v, SOURCE_STATUS);
	}
}

TEST(a_file_cut_inside_a_line_is_an_error)
{
	for (int i = 0; i < RECORDED_KERNELS; i++)
		assert_cuts_refused(status_read, recorded_kernels[i], "odd.status", false);
}

TEST(a_line_of_a_mebibyte_and_nul_bytes_do_no_harm)
{
	static const char nul[] = "Vm\0RSS:\t1 kB\nVmRSS:\t12 kB\n";
	size_t len = 1 << 20;
	OWNED(text_end) char *line = malloc(len);

	assert_non_null(line);
	memset(line, 'V', len);
	memcpy(line, "Vm", 2);
	line[len - 1] = '\n';
	assert_int_equal(status_read(line, len, &v, &e), -1);
	memcpy(line + len - 7, ":\t1 kB", 6);
	assert_int_equal(status_read(line, len, &v, &e), 0);
	assert_int_equal(status_read(nul, sizeof(nul) - 1, &v, &e), 0);
	assert_value(&v, METRIC_STATUS_VMRSS, 12);
}

TESTS_EACH(begin, NULL);
