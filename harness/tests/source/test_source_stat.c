// SPDX-License-Identifier: MIT
/* /proc/PID/stat, statm and oom_score: files of one line. */
#include "tests/support/recorded.h"

#define BEFORE  "1 (a) S 1 1 1 0 -1 0 "
#define NUMBERS "10 0 12 0 0 0 0 0 20 0 1 0 99 2310144 49 "
#define LINE    BEFORE NUMBERS "18446744073709551615 1 1 1\n"

static struct values v;
static struct source_error e;

FIXTURE(begin)
{
	memset(&v, 0, sizeof(v));
	memset(&e, 0, sizeof(e));
	return 0;
}

static int stat_text(const char *text)
{
	return READ_TEXT(stat_read, text, strlen(text), &v, &e);
}

static int statm_text(const char *text)
{
	return READ_TEXT(statm_read, text, strlen(text), &v, &e);
}

TEST(stat_reads_its_five_fields)
{
	assert_int_equal(stat_text(LINE), 0);
	assert_value(&v, METRIC_STAT_MINFLT, 10);
	assert_value(&v, METRIC_STAT_MAJFLT, 12);
	assert_value(&v, METRIC_STAT_VSIZE, 2310144);
	assert_value(&v, METRIC_STAT_RSS, 49);
}

TEST(an_unlimited_rsslim_is_stored_as_INT64_MAX)
{
	assert_int_equal(stat_text(LINE), 0);
	assert_value(&v, METRIC_STAT_RSSLIM, INT64_MAX);
	assert_int_equal(stat_text(BEFORE NUMBERS "4294967295\n"), 0);
	assert_value(&v, METRIC_STAT_RSSLIM, INT64_MAX);
	assert_int_equal(stat_text(BEFORE NUMBERS "4096\n"), 0);
	assert_value(&v, METRIC_STAT_RSSLIM, 4096);
}

TEST(comm_may_hold_anything)
{
	static const char *const comms[] = { "", ")", ") R 9 9 (", "a) b\n(S) 1", " ", "\n)\n" };
	char line[256];

	for (size_t i = 0; i < sizeof(comms) / sizeof(comms[0]); i++) {
		snprintf(line, sizeof(line), "1 (%s) S 1 1 1 0 -1 0 " NUMBERS "0\n", comms[i]);
		assert_int_equal(stat_text(line), 0);
		assert_value(&v, METRIC_STAT_MINFLT, 10);
		assert_value(&v, METRIC_STAT_RSS, 49);
	}
}

TEST(a_negative_rss_is_kept)
{
	assert_int_equal(stat_text("1 (a) S 1 1 1 0 -1 0 1 0 1 0 0 0 0 0 20 0 1 0 99 4096 -3 0\n"),
			 0);
	assert_value(&v, METRIC_STAT_RSS, -3);
}

TEST(columns_of_a_future_kernel_do_no_harm)
{
	OWNED(bytes_free) struct bytes b = recorded("7.3", "small.stat");
	struct values future = { .have = { false } };

	assert_int_equal(stat_read(b.data, b.len, &v, &e), 0);
	b = replaced(b, "\n", " 17 new 99x\n");
	assert_int_equal(stat_read(b.data, b.len, &future, &e), 0);
	assert_memory_equal(&v, &future, sizeof(v));
}

TEST(the_error_names_the_wrong_field_of_stat)
{
	static const struct wrong wrong[] = {
		{ "", "no newline" },
		{ LINE "x", "no newline" },
		{ "1 a S 1\n", "comm" },
		{ "1 (a)\n", "ends before field 10 (stat.minflt)" },
		{ BEFORE "10 0 12 0 0 0 0 0 20 0 1 0 99 4096\n",
		  "ends before field 24 (stat.rss)" },
		{ BEFORE NUMBERS "\n", "ends before field 25 (stat.rsslim)" },
		{ BEFORE "10 0 12 0 0 0 0 0 20 0 1 0 99 4096 4x 0\n",
		  "field 24 (stat.rss) is not a number" },
		{ BEFORE "10 0 12 0 0 0 0 0 20 0 1 0 99 4096 - 0\n",
		  "field 24 (stat.rss) is not a number" },
		{ BEFORE "10 0 12 0 0 0 0 0 20 0 1 0 99 9223372036854775808 4 0\n",
		  "field 23 (stat.vsize) is too large" },
		{ BEFORE NUMBERS "18446744073709551614\n", "field 25 (stat.rsslim) is too large" },
		{ BEFORE NUMBERS "99999999999999999999999\n",
		  "field 25 (stat.rsslim) is too large" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(stat_text(LINE), 0);
		assert_int_equal(stat_text(wrong[i].text), -1);
		assert_complaint(&e, SOURCE_STAT, wrong[i].complaint);
		assert_all_absent(&v, SOURCE_STAT);
	}
}

TEST(statm_reads_seven_fields)
{
	assert_int_equal(statm_text("564 97 80 122 0 352 0\n"), 0);
	assert_value(&v, METRIC_STATM_SIZE, 564);
	assert_value(&v, METRIC_STATM_RESIDENT, 97);
	assert_value(&v, METRIC_STATM_SHARED, 80);
	assert_value(&v, METRIC_STATM_TEXT, 122);
	assert_value(&v, METRIC_STATM_LIB, 0);
	assert_value(&v, METRIC_STATM_DATA, 352);
	assert_value(&v, METRIC_STATM_DT, 0);
}

/*
 * proc_pid_statm() prints unsigned longs, so a kernel that subtracted too much prints 2^64 minus a
 * few.
 */
TEST(a_total_that_fell_below_zero_is_negative)
{
	assert_int_equal(statm_text("564 97 80 122 0 18446744073709551595 0\n"), 0);
	assert_value(&v, METRIC_STATM_DATA, -21);
	assert_int_equal(statm_text("564 97 80 122 0 -21 0\n"), 0);
	assert_value(&v, METRIC_STATM_DATA, -21);
	/*
	 * As a signed number this is -2^52 - 1, which is below the smallest count that rssck
	 * accepts.
	 */
	assert_int_equal(statm_text("564 97 80 122 0 18442240474082181119 0\n"), -1);
	assert_complaint(&e, SOURCE_STATM, "field 6 (statm.data) is too large");
}

TEST(a_zombie_has_seven_zeros)
{
	for (int i = 0; i < RECORDED_KERNELS; i++) {
		OWNED(bytes_free) struct bytes b = recorded(recorded_kernels[i], "zombie.statm");
		struct values v = { .have = { false } };

		assert_int_equal(statm_read(b.data, b.len, &v, &e), 0);
		assert_value(&v, METRIC_STATM_RESIDENT, 0);
	}
}

TEST(the_error_names_the_wrong_field_of_statm)
{
	static const struct wrong wrong[] = {
		{ "", "no newline" },
		{ "564 97 80 122 0 352 0", "no newline" },
		{ "564 97 80 122 0 352\n", "ends before field 7 (statm.dt)" },
		{ "564 x 80 122 0 352 0\n", "field 2 (statm.resident) is not a number" },
		{ "564 97,1 80 122 0 352 0\n", "field 2 (statm.resident) is not a number" },
		{ "564 97 99999999999999999999 122 0 352 0\n",
		  "field 3 (statm.shared) is too large" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(statm_text(wrong[i].text), -1);
		assert_complaint(&e, SOURCE_STATM, wrong[i].complaint);
		assert_all_absent(&v, SOURCE_STATM);
	}
}

TEST(oom_score_is_one_number)
{
	assert_int_equal(oom_score_read("666\n", 4, &v, &e), 0);
	assert_value(&v, METRIC_OOM_SCORE, 666);
	assert_int_equal(oom_score_read("666", 3, &v, &e), -1);
	assert_complaint(&e, SOURCE_OOM, "no newline");
	assert_int_equal(oom_score_read("\n", 1, &v, &e), -1);
	assert_int_equal(oom_score_read("", 0, &v, &e), -1);
	assert_int_equal(oom_score_read("6 6\n", 4, &v, &e), -1);
	assert_complaint(&e, SOURCE_OOM, "not a number");
	assert_all_absent(&v, SOURCE_OOM);
}

TEST(a_file_cut_at_any_byte_is_an_error)
{
	for (int i = 0; i < RECORDED_KERNELS; i++) {
		assert_cuts_refused(stat_read, recorded_kernels[i], "small.stat", true);
		assert_cuts_refused(stat_read, recorded_kernels[i], "odd.stat", true);
		assert_cuts_refused(stat_read, recorded_kernels[i], "zombie.stat", true);
		assert_cuts_refused(statm_read, recorded_kernels[i], "small.statm", true);
		assert_cuts_refused(oom_score_read, recorded_kernels[i], "small.oom_score", true);
	}
}

TEST(a_byte_of_rubbish_anywhere_does_no_harm)
{
	static const char rubbish[] = { '\0', '\n', ')', '(', '-', ' ', '\xff', '9', 'x' };
	OWNED(bytes_free) struct bytes b = recorded("6.18", "odd.stat");

	for (size_t at = 0; at < b.len; at++) {
		char kept = b.data[at];

		for (size_t i = 0; i < sizeof(rubbish); i++) {
			struct values v = { .have = { false } };

			b.data[at] = rubbish[i];
			if (stat_read(b.data, b.len, &v, &e))
				assert_all_absent(&v, SOURCE_STAT);
		}
		b.data[at] = kept;
	}
}

TESTS_EACH(begin, NULL);
