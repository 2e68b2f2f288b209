// SPDX-License-Identifier: MIT
/*
 * Rules for the tests themselves: each is in the folder of its subject, is named after it, and is
 * short enough to be read.
 */
#include "tests/support/test.h"

static void prints_nothing(const char *command, const char *why)
{
	const char *out = shell_said(0, "%s", command);

	if (*out)
		fail_msg("%s:\n%s", why, out);
}

TEST(each_test_program_is_named_after_its_folder)
{
	prints_nothing("find harness/tests -name 'test_*.c' | "
		       "awk -F/ '$4 != \"test_\" $3 \".c\" && index($4, \"test_\" $3 \"_\") != 1'",
		       "harness/tests/FOLDER/test_FOLDER_SUBJECT.c is the name of a test");
}

TEST(each_folder_of_tests_is_a_folder_of_the_harness)
{
	prints_nothing("find harness/tests -name 'test_*.c' | awk -F/ '{ print $3 }' | sort -u | "
		       "while read -r f; do [ -d harness/$f ] || [ $f = house ] || echo $f; done",
		       "these folders of tests have no folder in harness/");
}

TEST(no_file_has_more_than_600_lines)
{
	prints_nothing("find harness/tests -name '*.[ch]' -exec wc -l {} + | "
		       "awk '$2 != \"total\" && $1 > 600'",
		       "these files are too long");
}
