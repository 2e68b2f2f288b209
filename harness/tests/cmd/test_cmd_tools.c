// SPDX-License-Identifier: MIT
/*
 * If a tool cannot be used on this machine, the case is skipped. If the tool fails only on the
 * workload, the case ends in an error.
 */
#include "tests/support/files.h"
#include "tests/support/test.h"
#include <sys/stat.h>

/* Runs rssck with a script as ps, which is found first in $PATH. */
static void expect(const char *script, int status, const char *line)
{
	char text[512];

	snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
	assert_int_equal(chmod(folder_put("ps", text), 0755), 0);
	assert_says(shell_said(status, "PATH=%s:$PATH %s check tools/ps 2>&1", in_folder("."),
			       program()),
		    line);
}

TEST(a_tool_too_old_for_its_columns_is_a_skip)
{
	expect("echo 'error: unknown user-defined format specifier \"pss\"' >&2\n"
	       "echo; echo 'For more details see ps(1).'; exit 1",
	       4, "error: unknown user-defined format specifier \"pss\"\n");
}

TEST(a_tool_without_its_library_is_a_skip)
{
	expect("echo 'ps: error while loading shared libraries: libproc2.so.0' >&2; exit 127", 4,
	       "skip tools/ps: cannot be used here: ps (package procps)");
}

/* $4 of the script is the process, because ps is called as "-o COLUMNS -p PID". */
TEST(a_tool_that_fails_only_on_the_workload_is_an_error)
{
	expect("read -r name </proc/$4/comm\n"
	       "[ \"$name\" != rssck ] || { echo $4 1 2 3; exit 0; }\n"
	       "echo 'Traceback (most recent call last):' >&2; echo 'SomeError: it broke' >&2; exit 1",
	       2, "SomeError: it broke\n");
}
