// SPDX-License-Identifier: MIT
/*
 * A program that rssck starts ends together with all processes that it started: when rssck is done,
 * at its time limit, or when rssck dies.
 */
#include "base/process/program.h"
#include "tests/support/files.h"
#include "tests/support/recorded.h"
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct text out;
static char why[512];

FIXTURE(end)
{
	text_free(&out);
	return 0;
}

static int run(const char *script, const char *settings, unsigned limit_s)
{
	char *const argv[] = { "/bin/sh", "-c", (char *)script, NULL };
	struct program p = {
		.argv = argv, .settings = settings, .settings_name = ".settings", .limit_s = limit_s
	};

	return program_output(&p, &out, why, sizeof(why));
}

static bool is_gone(pid_t pid)
{
	for (int i = 0; i < 500; i++) {
		if (kill(pid, 0) < 0 && errno == ESRCH)
			return true;
		usleep(10000);
	}
	return false;
}

TEST(stdout_and_stderr_are_both_read)
{
	assert_int_equal(run("echo one; echo two >&2", NULL, 20), 0);
	assert_string_equal(out.data, "one\ntwo\n");
	assert_int_equal(run("yes | head -c 1000000", NULL, 20), 0);
	assert_int_equal(out.len, 1000000);
}

TEST(too_much_output_is_an_error)
{
	assert_true(run("yes", NULL, 20) < 0);
}

TEST(a_tool_does_not_inherit_the_users_environment)
{
	setenv("PS_FORMAT", "comm", 1);
	assert_int_equal(run("echo $PS_FORMAT$LC_ALL$TERM $HOME", NULL, 20), 0);
	unsetenv("PS_FORMAT");
	assert_string_equal(out.data, "Cdumb /nonexistent\n");
}

TEST(the_settings_of_a_tool_are_written_and_later_removed)
{
	struct stat st;

	assert_int_equal(
		run("cat $HOME/.settings; mkdir -p $HOME/a/b; touch $HOME/a/b/c; echo; echo $HOME",
		    "colour = none", 20),
		0);
	assert_memory_equal(out.data, "colour = none\n/", 15);
	out.data[out.len - 1] = '\0';
	assert_int_equal(stat(strchr(out.data, '\n') + 1, &st), -1);
}

TEST(a_program_that_hangs_is_killed_with_its_children)
{
	assert_true(run("sleep 1000 & echo $!; wait", NULL, 1) < 0);
	assert_string_equal(why, "/bin/sh did not end within 1 s and was killed");
	assert_true(is_gone((pid_t)strtol(out.data, NULL, 10)));
}

TEST(a_missing_program_is_reported)
{
	char *const argv[] = { "/nonexistent/tool", NULL };
	struct program p = { .argv = argv, .limit_s = 20 };

	assert_int_equal(program_output(&p, &out, why, sizeof(why)), 0);
	assert_string_equal(out.data, "/nonexistent/tool: No such file or directory\n");
}

TEST(a_program_may_have_a_terminal)
{
	char *const argv[] = { "/bin/sh", "-c",
			       "test -t 0 && test -t 1 && dd bs=1 count=1 2>/dev/null", NULL };
	struct program p = { .argv = argv, .terminal = true, .input = "q", .limit_s = 20 };

	assert_int_equal(program_output(&p, &out, why, sizeof(why)), 0);
	assert_string_equal(out.data, "q");
}

TEST(a_program_that_hangs_on_its_terminal_is_killed)
{
	char *const argv[] = { "/bin/sh", "-c", "echo $$; trap '' HUP; sleep 1000", NULL };
	struct program p = { .argv = argv, .terminal = true, .limit_s = 1 };

	assert_true(program_output(&p, &out, why, sizeof(why)) < 0);
	assert_true(is_gone((pid_t)strtol(out.data, NULL, 10)));
}

TEST(nothing_remains_when_the_caller_is_killed)
{
	char *file = in_folder("said"), line[300] = "", *home;
	struct stat st;
	pid_t asker;

	asker = fork();
	if (asker == 0) {
		char script[300];

		snprintf(script, sizeof(script), "echo $$ $HOME >%s.new; mv %s.new %s; sleep 1000",
			 file, file, file);
		run(script, "colour = none", 100);
		_exit(1);
	}
	for (int i = 0; i < 500 && stat(file, &st) < 0; i++)
		usleep(10000);
	assert_int_equal(text_read(&out, 0, file), 0);
	snprintf(line, sizeof(line), "%s", out.data);
	line[strcspn(line, "\n")] = '\0';
	home = strchr(line, ' ') + 1;
	assert_int_equal(stat(home, &st), 0);

	kill(asker, SIGKILL);
	assert_int_equal(waitpid(asker, NULL, 0), asker);
	assert_true(is_gone((pid_t)strtol(line, NULL, 10)));
	for (int i = 0; i < 500 && stat(home, &st) == 0; i++)
		usleep(10000);
	assert_int_equal(stat(home, &st), -1);
}

static char *ask(const char *script)
{
	return program_ask((char *[]) { "/bin/sh", "-c", (char *)script, NULL }, why, sizeof(why));
}

TEST(a_program_that_must_succeed_reports_its_failure)
{
	char *text = ask("seq 20000; echo end >&2");

	assert_non_null(text);
	assert_memory_equal(text, "1\n2\n", 4);
	assert_string_equal(text + strlen(text) - 10, "20000\nend\n");
	free(text);
	assert_null(ask("echo no; exit 3"));
	assert_string_equal(why, "/bin/sh: failed with status 3: no\n");
	assert_null(ask("(sleep 0.2; kill -CONT $$) & kill -STOP $$; kill -SEGV $$"));
	assert_string_equal(why, "/bin/sh: was killed by signal 11 (Segmentation fault)");
}

/* The program may close its output before it ends. */
TEST(the_end_of_a_program_that_must_succeed_is_awaited)
{
	char *text = ask("echo said; exec >&- 2>&-; sleep 0.3; exit 0");
	assert_non_null(text);
	assert_string_equal(text, "said\n");
	free(text);
	assert_null(ask("exec >&- 2>&-; sleep 0.3; exit 4"));
	assert_string_equal(why, "/bin/sh: failed with status 4: ");
}

TEST(a_program_that_never_ends_is_killed_at_its_time_limit)
{
	char *const argv[] = { "/bin/sh", "-c", "echo $$; exec >&- 2>&-; sleep 1000", NULL };
	struct program p = { .argv = argv, .must_succeed = true, .limit_s = 1 };

	assert_true(program_output(&p, &out, why, sizeof(why)) < 0);
	assert_string_equal(why, "/bin/sh did not end within 1 s and was killed");
	assert_true(is_gone((pid_t)strtol(out.data, NULL, 10)));
}

TEST(a_program_that_must_succeed_inherits_the_environment)
{
	char *text;

	setenv("RSSCK_TEST", "here", 1);
	text = ask("echo $RSSCK_TEST");
	unsetenv("RSSCK_TEST");
	assert_non_null(text);
	assert_string_equal(text, "here\n");
	free(text);
}

TESTS_EACH(NULL, end);
