// SPDX-License-Identifier: MIT
/* Text that is fitted to the columns of a terminal. */
#include "base/print/fit.h"
#include "tests/support/test.h"

static void assert_fits(size_t width, const char *text, const char *expected)
{
	char *got = PRINTED(out, fit_text(text, width, out));

	assert_string_equal(got, expected);
}

TEST(text_that_fits_is_unchanged)
{
	assert_fits(30, "", "");
	assert_fits(30, "A sentence.\n\n", "A sentence.\n\n");
	assert_fits(30, "name      kB\na          1\n", "name      kB\na          1\n");
	assert_fits(30, "\033[31mred\033[0m\n", "\033[31mred\033[0m\n");
}

TEST(a_sentence_is_broken_at_blanks)
{
	assert_fits(20, "A sentence that is longer than that.\n",
		    "A sentence that is\nlonger than that.\n");
	assert_fits(20, "  indented words that go on\n", "  indented words\n  that go on\n");
	assert_fits(20, "onewordthatislongerthanthat\n", "onewordthatislongert\nhanthat\n");
	assert_fits(20, "\033[1mbold words that\033[0m go on\n",
		    "\033[1mbold words that\033[0m go\non\n");
	/* An umlaut fills one column, although it has two bytes. */
	assert_fits(20, "äöüäöüäöüä öüäöüäöüä\n", "äöüäöüäöüä öüäöüäöüä\n");
}

TEST(gaps_that_all_rows_share_shrink)
{
	assert_fits(26,
		    "counter         kB        kB  it counts\n"
		    "VmRSS        1,234         5  exact\n",
		    "counter    kB kB it counts\n"
		    "VmRSS   1,234  5 exact\n");
	assert_fits(26,
		    "counter         kB        kB  it counts\n"
		    "VmRSS        1,234\033[32m         5\033[0m  exact\n",
		    "counter    kB kB it counts\n"
		    "VmRSS   1,234\033[32m  5\033[0m exact\n");
}

TEST(the_last_column_continues_on_the_next_line)
{
	assert_fits(20,
		    "counter         kB        kB  it counts\n"
		    "VmRSS        1,234         5  exact\n",
		    "counter    kB kB it\n    counts\n"
		    "VmRSS   1,234  5\n    exact\n");
}

TEST(a_long_name_loses_its_middle)
{
	assert_fits(30, "      kB  file\n   1,234  /usr/lib/x86_64-linux-gnu/libc.so.6\n",
		    "    kB file\n 1,234 /usr/l...-gnu/libc.so.6\n");
}

TEST(without_room_the_name_is_printed_on_the_next_line)
{
	assert_fits(20, "  11,111  22,222  /usr/lib/libc.so.6\n  1       2       name\n",
		    " 11,111 22,222\n    /usr...libc.so.6\n 1      2      name\n");
}

TEST(no_line_is_wider_than_the_given_width)
{
	static const char text[] =
		"  PID  user        PSS kB        USS kB   program\n"
		"    1  root     1,234,567     1,234,567   systemd-with-a-long-name-of-its-own\n"
		" 1234  somebody         1             2   a program of four words and more\n\n"
		"Some words, and then some more, until the line is far too long for any terminal.\n";

	for (size_t width = 20; width < 120; width++) {
		char *got;
		FILE *out = printing();

		fit_text(text, width, out);
		got = printed(out);
		for (char *rest = NULL, *line = strtok_r(got, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			if (strlen(line) > width)
				fail_msg("in %zu columns: '%s'", width, line);
	}
}
