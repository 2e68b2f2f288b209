// SPDX-License-Identifier: MIT
/*
 * harness/doc/promises.md: everything that an earlier version with the same major number promised
 * still exists. Each release adds two files to recorded/promised. A line of an older file may be
 * removed only with a new major number.
 */
#include "tests/support/test.h"
#include <glob.h>
#include <stdbool.h>

enum { ROW_MAX = 128 };

static bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (const char *at = text; (at = strstr(at, line)); at += len)
		if ((at == text || at[-1] == '\n') && (at[len] == '\n' || at[len] == '\0'))
			return true;
	return false;
}

/*
 * Checks that the output of a command contains each line of each file of this kind in
 * recorded/promised.
 */
static void assert_kept(const char *kind, const char *text)
{
	char pattern[80], line[ROW_MAX];
	glob_t files;

	snprintf(pattern, sizeof(pattern), "harness/tests/recorded/promised/*.%s", kind);
	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		FILE *f = fopen(files.gl_pathv[i], "re");

		assert_non_null(f);
		while (fgets(line, sizeof(line), f)) {
			line[strcspn(line, "\n")] = '\0';
			if (!has_line(text, line))
				fail_msg("%s promises '%s', which does not exist",
					 files.gl_pathv[i], line);
		}
		fclose(f);
	}
	globfree(&files);
}

TEST(promised_commands_and_options_exist)
{
	assert_kept(
		"options",
		shell_said(0,
			   "r=%s; for c in $($r help --complete -- '' | cut -f1 | grep -v ^-); do "
			   "echo command $c; $r help --complete -- $c -- | cut -f1 | "
			   "sed \"s/^/$c /\"; done",
			   program()));
}

TEST(promised_case_names_exist)
{
	assert_kept("cases", shell_said(0, "%s list | cut -d ' ' -f 1", program()));
}

/* has_line() must be able to fail, or no promise would be checked. */
TEST(a_missing_name_is_detected)
{
	assert_true(has_line("a/b\nc/d\n", "a/b") && has_line("a/b\nc/d", "c/d"));
	assert_false(has_line("a/b_c\nxa/b\n", "a/b"));
}
