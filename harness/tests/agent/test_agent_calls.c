// SPDX-License-Identifier: MIT
/* Functions of the workload library that depend on a process, a file of the kernel, or time. */
#include "base/clock.h"
#include "base/kernel_file.h"
#include "tests/support/driven.h"
#include "tests/support/files.h"
#include "tests/workload/misbehaving.h"

static void assert_ends(const struct engine *e, const char *how, enum trial_end end,
			const char *reason)
{
	OWNED(trial_free) struct trial t;

	driven_misbehave("write", how);
	t = driven_trial(e);
	driven_misbehave(NULL, NULL);
	if (t.end != end || !strstr(t.reason, reason))
		fail_msg("%s: end %d, \"%s\"; expected end %d, \"%s\"", how, t.end, t.reason, end,
			 reason);
	assert_nobody_left();
}

TEST(helper_processes_and_companions_report_how_they_end)
{
	assert_ends(*state, "ask a child", TRIAL_FAILED, "the child says 7");
	assert_ends(*state, "a child is killed", TRIAL_ERROR,
		    "a forked process was killed by signal 9 (Killed)");
	assert_ends(*state, "companion", TRIAL_FAILED, "it knows us, stays and ends");
	assert_ends(*state, "dead companion", TRIAL_ERROR, "the companion process ended early");
}

/* Writes the file that the workload reads or sets. Returns its path. */
static const char *make_file(const char *text)
{
	const char *path = folder_put("setting", text);

	setenv(MISBEHAVE_FILE, path, 1);
	return path;
}

/* The guard is an orphan, so assert_ends() waits for it. */
TEST(a_guard_restores_a_setting_of_a_killed_workload)
{
	const char *path = make_file("2");

	assert_ends(*state, "be killed under a guard", TRIAL_ERROR, "signal 9");
	assert_int_equal(kernel_number(path, NULL, -1), 1);
}

TEST(a_guard_restores_a_setting_when_the_case_ends_it)
{
	make_file("2");
	assert_ends(*state, "end a guard", TRIAL_FAILED, "the setting was 2 and is 1");
}

static void assert_reads(const struct engine *e, const char *text, const char *numbers)
{
	make_file(text);
	assert_ends(e, "read numbers", TRIAL_FAILED, numbers);
}

TEST(a_number_is_read_from_the_named_file_or_field)
{
	assert_reads(*state, "42\n", "42 -7 -7 -7");
	assert_reads(*state, "-17\n", "-17 -7 -7 -7");
	assert_reads(*state, "anon_thp 3\nanon 4096\nVmLck:\t       8 kB\n", "-7 4096 8 -7");
	assert_reads(*state, "max\nanon max\n", "-7 -7 -7 -7");
}

TEST(a_count_below_0_is_read_as_a_negative_number)
{
	assert_reads(*state, "VmLck: 18446744073709549568 kB\n", "-7 -7 -2048 -7");
}

TEST(a_refused_setting_skips_the_case_and_is_named)
{
	assert_ends(*state, "set nothing", TRIAL_SKIPPED,
		    "/nowhere/setting: No such file or directory");
}

TEST(a_condition_that_never_holds_skips_the_case_and_is_named)
{
	int64_t begin = now_ms();

	assert_ends(*state, "wait in vain", TRIAL_SKIPPED, "a thing that is made up in 1 s");
	assert_true(now_ms() - begin >= 1000);
}

TEST(a_waiting_step_checks_until_the_condition_holds)
{
	assert_ends(*state, "wait a little", TRIAL_FAILED, "asked 4 times, paused 3 times");
}

TESTS_SHARE(driven_setup, driven_teardown);
