// SPDX-License-Identifier: MIT
/*
 * The interface of `rssck run` that scripts and people rely on, tested on the program itself:
 * $RSSCK, or ./rssck.
 */
#include "tests/support/json.h"
#include "tests/support/test.h"

static void expect(int status, const char *part, const char *arguments)
{
	assert_rssck(status, part, "run --no-model %s 2>&1", arguments);
}

TEST(the_commands_status_is_passed_on)
{
	expect(0, "exited with status 0", "sleep 0.3");
	expect(7, "exited with status 7", "-- sh -c 'sleep 0.3; exit 7'");
	expect(128 + 15, "killed by signal 15", "sh -c 'sleep 0.3; kill -TERM $$'");
}

TEST(a_command_that_cannot_run_has_the_exit_status_of_env)
{
	expect(127, "rssck: run: /no-such-program: No such file or directory", "/no-such-program");
	expect(126, "rssck: run: /etc/passwd: Permission denied", "/etc/passwd");
	expect(2, "no command", "");
	expect(2, "--every takes a number", "--every=often true");
	expect(2, "--plot=FILE takes a .svg or a .png", "--plot=x.gif true");
	expect(2, "--error-exitcode takes a number from 1 to 255", "--error-exitcode=0 true");
}

TEST(the_programs_output_is_unchanged)
{
	assert_string_equal(
		shell_said(0, "echo in | %s run --no-model sh -c 'cat; sleep 1' 2>/dev/null",
			   program()),
		"in\n");
}

static json_t *json_with(const char *options, const char *command)
{
	static char out[1 << 20];

	shell(out, sizeof(out), "%s run --no-model --format=json --output=- %s -- %s", program(),
	      options, command);
	return json_read(out);
}

static json_t *json_of(const char *command)
{
	return json_with("", command);
}

static json_int_t most(const json_t *run, const char *name)
{
	json_int_t found = 0;
	json_t *point;
	size_t i;

	json_array_foreach(json_object_get(run, "audits"), i, point)
	{
		json_int_t now = json_number(point, name);

		found = now > found ? now : found;
	}
	return found;
}

TEST(processes_and_numbers_are_reported)
{
	json_auto_t *j = json_of("sh -c 'sleep 3 & sleep 3 & wait'");

	assert_string_equal(json_text(j, "schema"), "rssck-run/1");
	assert_int_equal(most(j, "processes"), 3);
	assert_true(most(j, "numbers") > 500);
	assert_int_equal(json_length(j, "findings"), 0);
}

TEST(orphans_are_audited)
{
	json_auto_t *j = json_of("sh -c '(sleep 4 &) ; exec sleep 3'");

	assert_true(most(j, "processes") >= 2);
	assert_string_equal(json_text(j, "ended/words"), "exited with status 0");
}

/* No process lives long enough for an audit by the timer. */
TEST(processes_that_end_between_audits_are_audited_at_their_end)
{
	static const char command[] = "sh -c 'for i in 1 2 3 4 5 6; do /bin/true; done; exit 3'";
	json_auto_t *with = json_with("--exits --held=99 --every=60", command);
	json_auto_t *without = json_with("--every=60", command);

	assert_int_equal(json_number(with, "ended/status"), 3);
	assert_int_equal(json_number(with, "ends"), 7);
	assert_int_equal(json_number(with, "processes"), 7);
	assert_int_equal(json_length(with, "findings"), 0);
	assert_int_equal(json_number(without, "ends"), 0);
	assert_true(json_number(without, "processes") < 7);
}

TEST(audits_at_exits_respect_the_limit_of_held)
{
	static const char command[] = "sh -c 'for i in 1 2 3 4 5 6 7 8 9; do /bin/true; done'";
	json_auto_t *j = json_with("--exits --held=0.1", command);

	/*
	 * Ten processes are started. On a very busy machine, where the command takes seconds, one
	 * or two of them may be audited.
	 */
	assert_true(json_number(j, "ends") < 5);
	assert_true(json_length(j, "unseen") > 0);
}

/* `rssck vm --run` starts a program in this way. */
TEST(a_wrapper_script_is_replaced_by_its_program_in_the_report)
{
	expect(0, "rssck run: exec sleep 0.2\n",
	       "--wrapper -- sh -c 'eval \"$1\"' sh 'exec sleep 0.2' more");
}

TEST(a_wrapper_is_not_audited)
{
	json_auto_t *alone = json_with("--exits --held=99 --wrapper",
				       "sh -c 'read x </dev/null; :'");
	json_auto_t *with = json_with("--wrapper", "sh -c 'sleep 0.5; :'");
	json_auto_t *became = json_with("--wrapper", "sh -c 'exec sleep 0.5'");

	assert_int_equal(json_number(alone, "processes"), 0);
	assert_int_equal(json_number(alone, "ends"), 0);
	assert_int_equal(json_length(alone, "audits"), 0);
	assert_int_equal(json_number(with, "processes"), 1);
	assert_int_equal(most(with, "processes"), 1);
	assert_true(most(with, "numbers") > 100);
	assert_int_equal(json_number(became, "processes"), 1);
}

TEST(a_mark_triggers_an_audit)
{
	json_auto_t *j = json_of("sh -c 'sleep 0.5; echo here >\"$RSSCK_MARK\"; sleep 0.5'");
	json_t *point;
	size_t i, found = 0;

	json_array_foreach(json_object_get(j, "audits"), i, point)
	{
		const char *mark = json_string_value(json_object_get(point, "mark"));

		found += mark && !strcmp(mark, "here");
	}
	assert_int_equal(found, 1);
}

/* rssck raises its own limits, but the program gets the original ones. */
TEST(the_program_inherits_limits_and_signals_unchanged)
{
	static const char asked[] = "sh -c 'ulimit -S -n; grep Sig[BIC] /proc/self/status'";
	static char with[1 << 16], without[1 << 16];

	shell(without, sizeof(without), "ulimit -S -n 77; trap '' XFSZ USR1; %s 2>/dev/null",
	      asked);
	shell(with, sizeof(with),
	      "ulimit -S -n 77; trap '' XFSZ USR1; %s run --no-model %s 2>/dev/null", program(),
	      asked);
	assert_says(with, "77\n");
	assert_string_equal(with, without);
}

TEST(each_format_is_printed)
{
	expect(0, "ok 1 run/identities\n", "--format=ktap sleep 0.3");
	expect(0, "<testcase classname=\"run\" name=\"identities\"", "--format=junit sleep 0.3");
}
