// SPDX-License-Identifier: MIT
/* /proc/PID/smaps and smaps_rollup. */
#include "tests/support/recorded.h"

#define FIRST  "1000-3000 rw-p 00000000 00:00 0 \n"
#define SECOND "5000-9000 r--p 00000000 fe:00 12                 /a file\n"
#define GATE   "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n"
#define ROLLUP "1000-9000 ---p 00000000 00:00 0                  [rollup]\n"

static struct snapshot s;
static struct source_error e;

FIXTURE(begin)
{
	memset(&s, 0, sizeof(s));
	memset(&e, 0, sizeof(e));
	return 0;
}

FIXTURE(end)
{
	snapshot_free(&s);
	return 0;
}

static int smaps_text(const char *text)
{
	return READ_TEXT(smaps_read, text, strlen(text), &s, &e);
}

static int rollup_text(const char *text)
{
	return READ_TEXT(rollup_read, text, strlen(text), &s, &e);
}

static bool was_printed(const struct mapping *m, enum metric_id id)
{
	return m->smaps_have & 1ULL << (id - METRIC_SMAPS_FIRST);
}

TEST(fields_belong_to_the_mapping_above_them)
{
	assert_int_equal(smaps_text(FIRST
				    "Size:    8 kB\nRss:     4 kB\nVmFlags: rd wr mr \n" SECOND
				    "Size:   16 kB\nRss:    12 kB\nVmFlags: rd mr me\n"),
			 0);
	assert_int_equal(s.nr_maps, 2);
	assert_int_equal(mapping_smaps(&s.maps[0], METRIC_SMAPS_RSS), 4);
	assert_int_equal(mapping_smaps(&s.maps[1], METRIC_SMAPS_RSS), 12);
	assert_string_equal(s.maps[0].flags, "rd wr mr");
	assert_string_equal(s.maps[1].flags, "rd mr me");
	assert_string_equal(s.maps[0].name, "");
	assert_string_equal(s.maps[1].name, "/a file");
}

TEST(the_values_are_sums_over_the_mappings)
{
	assert_int_equal(
		smaps_text(FIRST "Size: 8 kB\nRss: 4 kB\n" SECOND "Size: 16 kB\nRss: 12 kB\n"), 0);
	assert_value(&s.values, METRIC_SMAPS_SIZE, 24);
	assert_value(&s.values, METRIC_SMAPS_RSS, 16);
}

TEST(a_field_that_no_mapping_has_is_absent_and_not_zero)
{
	assert_int_equal(smaps_text(FIRST "Rss: 0 kB\n"), 0);
	assert_value(&s.values, METRIC_SMAPS_RSS, 0);
	assert_false(s.values.have[METRIC_SMAPS_KSM]);
	assert_true(was_printed(&s.maps[0], METRIC_SMAPS_RSS));
	assert_false(was_printed(&s.maps[0], METRIC_SMAPS_KSM));
}

TEST(the_gate_page_is_listed_but_in_no_sum)
{
	assert_int_equal(smaps_text(FIRST "Size: 8 kB\n" GATE "Size: 4 kB\n"), 0);
	assert_int_equal(s.nr_maps, 2);
	assert_int_equal(mapping_smaps(&s.maps[1], METRIC_SMAPS_SIZE), 4);
	assert_value(&s.values, METRIC_SMAPS_SIZE, 8);
}

/* The file is named "Rss:  12 kB", but this line is not a field. */
TEST(a_name_that_looks_like_a_field_is_read_as_a_name)
{
	for (int k = 0; k < RECORDED_KERNELS; k++) {
		OWNED(bytes_free) struct bytes b = recorded(recorded_kernels[k], "odd.smaps");
		OWNED(snapshot_free) struct snapshot s = { .pid = 0 };
		bool found = false;

		assert_int_equal(smaps_read(b.data, b.len, &s, &e), 0);
		for (size_t i = 0; i < s.nr_maps; i++)
			found |= strcmp(s.maps[i].name, "/tmp/odd/Rss:  12 kB") == 0;
		assert_true(found);
	}
}

TEST(recorded_files_agree_with_each_other)
{
	static const enum metric_id pairs[][2] = {
		{ METRIC_SMAPS_RSS, METRIC_ROLLUP_RSS },
		{ METRIC_SMAPS_ANONYMOUS, METRIC_ROLLUP_ANONYMOUS },
		{ METRIC_SMAPS_SHARED_CLEAN, METRIC_ROLLUP_SHARED_CLEAN },
		{ METRIC_SMAPS_PRIVATE_DIRTY, METRIC_ROLLUP_PRIVATE_DIRTY },
		{ METRIC_SMAPS_SWAP, METRIC_ROLLUP_SWAP },
		{ METRIC_SMAPS_SIZE, METRIC_STATUS_VMSIZE },
	};

	for (int k = 0; k < RECORDED_KERNELS; k++) {
		OWNED(bytes_free) struct bytes smaps = recorded(recorded_kernels[k], "odd.smaps");
		OWNED(bytes_free)
		struct bytes rollup = recorded(recorded_kernels[k], "odd.smaps_rollup");
		OWNED(bytes_free) struct bytes status = recorded(recorded_kernels[k], "odd.status");
		OWNED(snapshot_free) struct snapshot s = { .pid = 0 };

		assert_int_equal(smaps_read(smaps.data, smaps.len, &s, &e), 0);
		assert_int_equal(rollup_read(rollup.data, rollup.len, &s, &e), 0);
		assert_int_equal(status_read(status.data, status.len, &s.values, &e), 0);
		assert_int_equal(s.nr_unknown, 0);
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
			assert_value(&s.values, pairs[i][0], s.values.of[pairs[i][1]]);
	}
}

TEST(fields_of_a_future_kernel_are_listed_once_and_do_no_harm)
{
	OWNED(bytes_free) struct bytes b = recorded("7.3", "small.smaps");

	b = replaced(b, "Pss: ", "Future_Thing:   a b c\nPss: ");
	b = replaced(b, "Swap: ", "Future_Thing:   d\nNew_kB: 12 kB\nSwap: ");
	assert_int_equal(smaps_read(b.data, b.len, &s, &e), 0);
	assert_int_equal(s.nr_unknown, 2);
	assert_int_equal(s.unknown[0].source, SOURCE_SMAPS);
	assert_string_equal(s.unknown[0].key, "Future_Thing");
	assert_string_equal(s.unknown[0].value, "a b c");
	assert_string_equal(s.unknown[1].key, "New_kB");
}

TEST(too_many_unknown_fields_do_no_harm)
{
	char text[8192] = FIRST;
	size_t len = strlen(text);

	for (int i = 0; i < 2 * UNKNOWN_FIELDS_MAX; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"Field_with_a_name_longer_than_there_is_room_for_%d: "
					"a value that is longer than there is room for\n"
					"X%d: 1\n",
					i, i);
	assert_int_equal(smaps_text(text), 0);
	assert_int_equal(s.nr_unknown, UNKNOWN_FIELDS_MAX);
}

TEST(the_error_names_the_wrong_field_of_smaps)
{
	static const struct wrong wrong[] = {
		{ "", "is empty" },
		{ "Rss: 4 kB\n", "line 1 belongs to no mapping" },
		{ FIRST "Rss: 4 kB\nRss: 4 kB\n", "Rss occurs twice in one mapping" },
		{ FIRST "Rss 4 kB\n", "line 2 has no colon" },
		{ FIRST "Rss: 4\n", "Rss is not in kB" },
		{ FIRST "Rss: 4 MB\n", "Rss is not in kB" },
		{ FIRST "Rss: four kB\n", "Rss is not a number" },
		{ FIRST "Rss:\n", "Rss is not a number" },
		{ FIRST "Rss: 18446744073709551615 kB\n", "Rss is too large" },
		{ FIRST "Rss: 4 kB", "is cut off in line 2" },
		{ FIRST "THPeligible: 0 kB\n", "THPeligible is not a number" },
		{ FIRST "rss: 4 kB\n", "start of a mapping is not a number" },
		{ FIRST "\n", "start of a mapping is not a number" },
		{ FIRST "Rss: 9223372036854775807 kB\n" SECOND "Rss: 1 kB\n",
		  "the sum of Rss is too large" },
		{ FIRST "Rss: 4 kB\nVmFlags: rd\n" SECOND "Rss: 4 kB\n",
		  "is cut off before VmFlags" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(smaps_text(FIRST "Rss: 4 kB\n"), 0);
		assert_int_equal(smaps_text(wrong[i].text), -1);
		assert_complaint(&e, SOURCE_SMAPS, wrong[i].complaint);
		assert_all_absent(&s.values, SOURCE_SMAPS);
		assert_int_equal(s.nr_maps, 0);
	}
}

/* A file that is cut off after a complete block looks like a complete file. No other cut does. */
TEST(a_file_cut_inside_a_block_is_an_error)
{
	OWNED(bytes_free) struct bytes whole = recorded("6.18", "odd.smaps");

	for (size_t len = 0; len <= whole.len; len++) {
		OWNED(bytes_free) struct bytes cut = bytes_of(whole.data, len);
		bool line_ends = len && whole.data[len - 1] == '\n';
		OWNED(snapshot_free) struct snapshot s = { .pid = 0 };
		int got = smaps_read(cut.data, cut.len, &s, &e);

		if (!line_ends)
			assert_int_equal(got, -1);
		if (got == 0 && s.nr_maps > 1)
			assert_string_not_equal(s.maps[s.nr_maps - 1].flags, "");
	}
}

TEST(a_byte_of_rubbish_anywhere_does_no_harm)
{
	static const char rubbish[] = { '\0', '\n', ':', '-', ' ', '\xff', 'f', 'X', '9' };
	OWNED(bytes_free) struct bytes b = recorded("5.10", "small.smaps");

	for (size_t at = 0; at < b.len; at++) {
		char kept = b.data[at];

		for (size_t i = 0; i < sizeof(rubbish); i++) {
			OWNED(snapshot_free) struct snapshot s = { .pid = 0 };

			b.data[at] = rubbish[i];
			if (smaps_read(b.data, b.len, &s, &e))
				assert_all_absent(&s.values, SOURCE_SMAPS);
		}
		b.data[at] = kept;
	}
}

TEST(a_thousand_mappings_keep_their_names)
{
	enum { MANY = 1000, ROOM = 128 };
	char *text = malloc(MANY * ROOM), name[32];
	size_t len = 0;

	assert_non_null(text);
	for (int i = 0; i < MANY; i++)
		len += (size_t)snprintf(
			text + len, ROOM,
			"%x000-%x000 rw-p 00000000 00:00 0 [anon:%d]\nRss: 4 kB\nVmFlags: rd wr \n",
			i + 1, i + 2, i);
	assert_int_equal(smaps_read(text, len, &s, &e), 0);
	free(text);
	assert_int_equal(s.nr_maps, MANY);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "[anon:%d]", i);
		assert_string_equal(s.maps[i].name, name);
		assert_string_equal(s.maps[i].flags, "rd wr");
	}
	assert_value(&s.values, METRIC_SMAPS_RSS, 4 * MANY);
}

TEST(rollup_reads_its_fields)
{
	OWNED(bytes_free) struct bytes b = recorded("6.18", "odd.smaps_rollup");

	assert_int_equal(rollup_read(b.data, b.len, &s, &e), 0);
	assert_all_printed(&s.values, METRIC_ROLLUP_FIRST, METRIC_ROLLUP_LAST, "6.18",
			   "odd.smaps_rollup");
	assert_int_equal(s.nr_maps, 0);
}

TEST(the_error_names_the_wrong_field_of_smaps_rollup)
{
	static const struct wrong wrong[] = {
		{ "", "is empty" },
		{ "Rss: 4 kB\n", "start of a mapping is not a number" },
		{ ROLLUP "Rss: 4 kB\nRss: 4 kB\n", "Rss occurs twice" },
		{ ROLLUP "Rss 4 kB\n", "line 2 has no key and colon" },
		{ ROLLUP ROLLUP, "line 2 has no key and colon" },
		{ ROLLUP "Rss: 4\n", "Rss is not in kB" },
		{ ROLLUP "Rss: x kB\n", "Rss is not a number" },
		{ ROLLUP "Rss: 4 kB", "is cut off in line 2" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(rollup_text(ROLLUP "Rss: 4 kB\n"), 0);
		assert_int_equal(rollup_text(wrong[i].text), -1);
		assert_complaint(&e, SOURCE_ROLLUP, wrong[i].complaint);
		assert_all_absent(&s.values, SOURCE_ROLLUP);
	}
}

/* The kernel prints this address range for a process without mappings. */
TEST(the_smaps_rollup_of_a_process_without_mappings_is_read)
{
	assert_int_equal(
		rollup_text("00000000-00000000 ---p 00000000 00:00 0 [rollup]\nRss: 0 kB\n"), 0);
	assert_value(&s.values, METRIC_ROLLUP_RSS, 0);
}

TEST(rollup_lists_fields_of_a_future_kernel)
{
	assert_int_equal(rollup_text(ROLLUP "Rss: 4 kB\nPss_Device: 8 kB\n"), 0);
	assert_int_equal(s.nr_unknown, 1);
	assert_int_equal(s.unknown[0].source, SOURCE_ROLLUP);
	assert_string_equal(s.unknown[0].key, "Pss_Device");
}

TEST(a_rollup_cut_inside_a_line_is_an_error)
{
	for (int k = 0; k < RECORDED_KERNELS; k++) {
		OWNED(bytes_free)
		struct bytes whole = recorded(recorded_kernels[k], "small.smaps_rollup");

		for (size_t len = 0; len <= whole.len; len++) {
			OWNED(bytes_free) struct bytes cut = bytes_of(whole.data, len);
			bool line_ends = len && whole.data[len - 1] == '\n';
			struct snapshot s = { .pid = 0 };

			assert_int_equal(rollup_read(cut.data, cut.len, &s, &e),
					 line_ends ? 0 : -1);
		}
	}
}

TESTS_EACH(begin, end);
