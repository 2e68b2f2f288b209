// SPDX-License-Identifier: MIT
/*
 * If a tool cannot be used on this machine, the case is skipped. If the tool fails only on the
 * workload, the case ends in an error.
 */
#include "tests/support/test.h"
#include <sys/stat.h>
#include <sys/wait.h>

/* Runs rssck with a script as ps, which is found first in $PATH. Returns the exit status. */
static int check_with_ps(const char *script, char *out, size_t size)
{
	char folder[] = "/tmp/rssck-test.XXXXXX", file[64], command[512];
	const char *rssck = getenv("RSSCK");
	size_t n = 0, got;
	FILE *f;
	int status;

	assert_non_null(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/ps", folder);
	f = fopen(file, "we");
	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s\n", script);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(file, 0755), 0);
	snprintf(command, sizeof(command), "PATH=%s:$PATH %s check tools/ps 2>&1", folder,
		 rssck ? rssck : "./rssck");
	f = popen(command, "re");
	assert_non_null(f);
	while ((got = fread(out + n, 1, size - 1 - n, f)) > 0)
		n += got;
	out[n] = '\0';
	status = pclose(f);
	unlink(file);
	rmdir(folder);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void expect(const char *script, int status, const char *line)
{
	static char out[1 << 16];
	int got = check_with_ps(script, out, sizeof(out));

	if (got != status || !strstr(out, line))
		fail_msg("exit %d, should be %d, with '%s' in\n%s", got, status, line, out);
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
