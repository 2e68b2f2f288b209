// SPDX-License-Identifier: MIT
/*
 * /proc/PID/maps: mappings, their names, and the account of address space that the kernel puts them
 * in.
 */
#include "tests/support/recorded.h"

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

static int maps_text(const char *text, size_t len)
{
	return READ_TEXT(maps_read, text, len, &s, &e);
}

static const struct mapping *named(const struct snapshot *s, const char *name)
{
	for (size_t i = 0; i < s->nr_maps; i++)
		if (strcmp(s->maps[i].name, name) == 0)
			return &s->maps[i];
	fail_msg("no mapping is named \"%s\"", name);
	return NULL;
}

TEST(a_mapping_has_all_its_columns)
{
	static const char line
		[] = "7f0000001000-7f0000003000 rw-s 0000a000 1fe:10b2 10953131    /some/file\n";

	assert_int_equal(maps_text(line, strlen(line)), 0);
	assert_int_equal(s.nr_maps, 1);
	assert_int_equal(s.maps[0].start, 0x7f0000001000);
	assert_int_equal(s.maps[0].end, 0x7f0000003000);
	assert_int_equal(s.maps[0].offset, 0xa000);
	assert_int_equal(s.maps[0].dev_major, 0x1fe);
	assert_int_equal(s.maps[0].dev_minor, 0x10b2);
	assert_int_equal(s.maps[0].inode, 10953131);
	assert_true(s.maps[0].readable);
	assert_true(s.maps[0].writable);
	assert_false(s.maps[0].executable);
	assert_true(s.maps[0].shared);
	assert_string_equal(s.maps[0].name, "/some/file");
	assert_string_equal(s.maps[0].flags, "");
}

TEST(names_are_kept_as_the_kernel_prints_them)
{
	static const char *const names[] = {
		"/tmp/odd/tail ",
		"/tmp/odd/\xff\xfe",
		"/tmp/odd/Rss:  12 kB",
		"/tmp/odd/back\\slash",
		"/tmp/odd/esc\033[31mred",
		"/tmp/odd/gone (deleted)",
		"/tmp/odd/new\\012line",
		"/tmp/odd/a b  c",
		"/memfd:mem fd (deleted)",
		"/dev/zero (deleted)",
		"[heap]",
		"[stack]",
		"[vdso]",
	};

	for (int k = 0; k < RECORDED_KERNELS; k++) {
		struct bytes b = recorded(recorded_kernels[k], "odd.maps");
		OWNED(snapshot_free) struct snapshot s = { .pid = 0 };

		assert_int_equal(maps_read(b.data, b.len, &s, &e), 0);
		free(b.data); /* the snapshot has its own copy of the names */
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			named(&s, names[i]);
	}
}

TEST(a_named_anonymous_mapping_keeps_its_name)
{
	static const char line[] = "7f0000001000-7f0000003000 rw-p 00000000 00:00 0      "
				   "                    [anon:my heap (x)]\n";

	assert_int_equal(maps_text(line, strlen(line)), 0);
	assert_string_equal(s.maps[0].name, "[anon:my heap (x)]");
}

TEST(a_second_reading_replaces_the_first)
{
	static const char one[] = "1000-2000 r--p 00000000 00:00 0 \n";
	OWNED(bytes_free) struct bytes b = recorded("6.18", "odd.maps");

	assert_int_equal(maps_read(b.data, b.len, &s, &e), 0);
	assert_int_equal(maps_text(one, strlen(one)), 0);
	assert_int_equal(s.nr_maps, 1);
	assert_int_equal(maps_text("", 0), -1);
	assert_int_equal(s.nr_maps, 0);
	assert_null(s.maps);
}

TEST(the_error_names_the_wrong_column_of_maps)
{
	static const struct wrong wrong[] = {
		{ "", "is empty" },
		{ "\n", "start of a mapping is not a number" },
		{ "rubbish\n", "start of a mapping" },
		{ "1000 2000 r--p 0 00:00 0 \n", "start of a mapping is not a number" },
		{ "1000-x r--p 0 00:00 0 \n", "end of a mapping is not a number" },
		{ "1000-10000000000000000 r--p 0 00:00 0 \n", "end of a mapping is too large" },
		{ "2000-1000 r--p 0 00:00 0 \n", "ends before it starts" },
		{ "1000-2000 r-p 0 00:00 0 \n", "permissions" },
		{ "1000-2000 r--z 0 00:00 0 \n", "permissions" },
		{ "1000-2000 r--p", "is cut off in line 1" },
		{ "1000-2000 r--p\n", "permissions" },
		{ "1000-2000 r--p x 00:00 0 \n", "offset of a mapping is not a number" },
		{ "1000-2000 r--p 0 0000 0 \n", "device of a mapping is not a number" },
		{ "1000-2000 r--p 0 00:fffffffff 0 \n", "device of a mapping" },
		{ "1000-2000 r--p 0 00:00 \n", "inode of a mapping is not a number" },
		{ "1000-2000 r--p 0 00:00 0\n", "inode of a mapping is not a number" },
		{ "1000-2000 r--p 0 00:00 99999999999999999999 \n",
		  "inode of a mapping is too large" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(maps_text(wrong[i].text, strlen(wrong[i].text)), -1);
		assert_complaint(&e, SOURCE_SMAPS, wrong[i].complaint);
		assert_int_equal(s.nr_maps, 0);
	}
}

TEST(a_file_cut_inside_a_line_is_an_error)
{
	OWNED(bytes_free) struct bytes whole = recorded("6.18", "odd.maps");

	for (size_t len = 0; len <= whole.len; len++) {
		bool line_ends = len && whole.data[len - 1] == '\n';

		assert_int_equal(maps_text(whole.data, len), line_ends ? 0 : -1);
		snapshot_free(&s);
	}
}

TEST(a_name_of_a_mebibyte_is_read)
{
	static const char columns[] = "1000-2000 r--p 00000000 00:00 7 /";
	size_t len = 1 << 20;
	OWNED(text_end) char *line = malloc(len);

	assert_non_null(line);
	memset(line, 'n', len);
	memcpy(line, columns, sizeof(columns) - 1);
	line[len - 1] = '\n';
	assert_int_equal(maps_text(line, len), 0);
	assert_int_equal(strlen(s.maps[0].name), len - sizeof(columns) + 1);
}

TEST(a_name_with_a_nul_byte_does_no_harm)
{
	static const char line[] = "1000-2000 r--p 00000000 00:00 7 /a\0b\n";

	assert_int_equal(maps_text(line, sizeof(line) - 1), 0);
	assert_string_equal(s.maps[0].name, "/a");
}

TEST(a_byte_of_rubbish_anywhere_does_no_harm)
{
	static const char rubbish[] = { '\0', '\n', ':', '-', ' ', '\xff', 'f', 'x' };
	OWNED(bytes_free) struct bytes b = recorded("6.18", "odd.maps");

	for (size_t at = 0; at < b.len; at++) {
		char kept = b.data[at];

		for (size_t i = 0; i < sizeof(rubbish); i++) {
			OWNED(snapshot_free) struct snapshot s = { .pid = 0 };

			b.data[at] = rubbish[i];
			if (maps_read(b.data, b.len, &s, &e))
				assert_int_equal(s.nr_maps, 0);
		}
		b.data[at] = kept;
	}
}

TEST(a_VmFlag_is_a_word_of_two_letters)
{
	const struct mapping m = { .flags = "rd wr mr gd ac" }, none = { .flags = "" },
			     odd = { .flags = "rd w" };

	assert_true(mapping_has_flag(&m, "rd"));
	assert_true(mapping_has_flag(&m, "gd"));
	assert_true(mapping_has_flag(&m, "ac"));
	assert_false(mapping_has_flag(&m, "ht"));
	assert_false(mapping_has_flag(&m, "dw"));
	assert_false(mapping_has_flag(&m, "r "));
	assert_false(mapping_has_flag(&none, "rd"));
	assert_true(mapping_has_flag(&odd, "rd"));
	assert_false(mapping_has_flag(&odd, "wr"));
}

TEST(each_mapping_belongs_to_one_account_of_address_space)
{
	static const struct {
		struct mapping m;
		enum account account;
	} rules[] = {
		{ { .name = "", .flags = "rd wr mr", .readable = true, .writable = true },
		  ACCOUNT_PRIVATE_WRITABLE },
		{ { .name = "", .flags = "rd mr", .readable = true }, ACCOUNT_OTHER },
		{ { .name = "", .flags = "" }, ACCOUNT_OTHER },
		{ { .name = "", .flags = "wr sh", .writable = true, .shared = true },
		  ACCOUNT_OTHER },
		{ { .name = "", .flags = "rd ex", .executable = true }, ACCOUNT_EXEC },
		{ { .name = "", .flags = "ex sh", .executable = true, .shared = true },
		  ACCOUNT_EXEC },
		{ { .name = "", .flags = "wr ex", .writable = true, .executable = true },
		  ACCOUNT_PRIVATE_WRITABLE },
		{ { .name = "[stack]", .flags = "rd wr gd", .writable = true }, ACCOUNT_STACK },
		{ { .name = "", .flags = "rd wr gd", .writable = true }, ACCOUNT_STACK },
		{ { .name = "", .flags = "rd ex gd", .executable = true }, ACCOUNT_STACK },
		{ { .name = "", .flags = "rd wr ss", .writable = true }, ACCOUNT_STACK },
		{ { .name = "[stack]", .flags = "", .writable = true }, ACCOUNT_STACK },
		{ { .name = "[vsyscall]", .flags = "ex", .executable = true }, ACCOUNT_SPECIAL },
		{ { .name = "[vdso]", .flags = "rd ex", .executable = true }, ACCOUNT_EXEC },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		assert_int_equal(mapping_account(&rules[i].m), rules[i].account);
}

TESTS_EACH(begin, end);
