// SPDX-License-Identifier: MIT
/*
 * harness/doc/promises.md: everything that a version of the same major number promised still
 * exists. A release adds two files to recorded/promised; a line of an older file may only be
 * removed with a new major number.
 */
#include "tests/support/test.h"
#include <glob.h>
#include <stdbool.h>

enum { OUTPUT_MAX = 1 << 17, ROW_MAX = 128 };

static bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (const char *at = text; (at = strstr(at, line)); at += len)
		if ((at == text || at[-1] == '\n') && (at[len] == '\n' || at[len] == '\0'))
			return true;
	return false;
}

/*
 * Checks that each line of each file with this name in recorded/promised is in the output of
 * a command.
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
				fail_msg("%s promises '%s', which is gone", files.gl_pathv[i],
					 line);
		}
		fclose(f);
	}
	globfree(&files);
}

TEST(commands_and_options_stay)
{
	static char out[OUTPUT_MAX];

	assert_int_equal(
		shell(out, sizeof(out),
		      "r=%s; for c in $($r help --complete -- '' | cut -f1 | grep -v ^-); do "
		      "echo command $c; $r help --complete -- $c -- | cut -f1 | sed \"s/^/$c /\"; "
		      "done",
		      program()),
		0);
	assert_kept("options", out);
}

TEST(cases_keep_their_names)
{
	static char out[OUTPUT_MAX];

	assert_int_equal(shell(out, sizeof(out), "%s list | cut -d ' ' -f 1", program()), 0);
	assert_kept("cases", out);
}

/* If the recorded lines were not found, no promise would be checked. */
TEST(a_name_that_is_gone_is_told)
{
	assert_true(has_line("a/b\nc/d\n", "a/b") && has_line("a/b\nc/d", "c/d"));
	assert_false(has_line("a/b_c\nxa/b\n", "a/b"));
}
