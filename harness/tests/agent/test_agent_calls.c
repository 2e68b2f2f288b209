// SPDX-License-Identifier: MIT
/* Functions of the workload that depend on other objects: a process, the kernel's files, time. */
#include "tests/support/driven.h"
#include "tests/support/test.h"
#include "tests/workload/misbehaving.h"

/* Misbehaves in the step "write", which is the second. */
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

TEST(a_process_of_its_own_says_a_number)
{
	assert_ends(*state, "ask a child", TRIAL_FAILED, "the child says 7");
}

TEST(a_process_of_its_own_that_is_killed_is_an_error)
{
	assert_ends(*state, "a child is killed", TRIAL_ERROR,
		    "a process of its own was killed by signal 9 (Killed)");
}

TEST(a_companion_stays_until_it_is_ended)
{
	assert_ends(*state, "companion", TRIAL_FAILED, "it knows us, stays and ends");
}

TEST(a_companion_that_dies_is_an_error)
{
	assert_ends(*state, "dead companion", TRIAL_ERROR, "the companion process has ended early");
}

static void assert_reads(const struct engine *e, const char *text, const char *numbers)
{
	char path[] = "/tmp/rssck-test.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	setenv(MISBEHAVE_FILE, path, 1);
	assert_ends(e, "read numbers", TRIAL_FAILED, numbers);
	unlink(path);
}

TEST(a_number_is_that_of_the_file_or_of_the_field_that_is_named)
{
	assert_reads(*state, "42\n", "42 -7 -7 -7");
	assert_reads(*state, "-17\n", "-17 -7 -7 -7");
	assert_reads(*state, "anon_thp 3\nanon 4096\nVmLck:\t       8 kB\n", "-7 4096 8 -7");
	assert_reads(*state, "max\nanon max\n", "-7 -7 -7 -7");
}

TEST(a_count_that_fell_below_0_is_a_negative_number)
{
	assert_reads(*state, "VmLck: 18446744073709549568 kB\n", "-7 -7 -2048 -7");
}

TEST(a_setting_that_is_refused_skips_the_case_and_is_named)
{
	assert_ends(*state, "set nothing", TRIAL_SKIPPED,
		    "/nowhere/setting: No such file or directory");
}

TEST(what_is_waited_for_in_vain_skips_the_case_and_is_named)
{
	int64_t begin = driven_now_ms();

	assert_ends(*state, "wait in vain", TRIAL_SKIPPED, "a thing that is made up in 1 s");
	assert_true(driven_now_ms() - begin >= 1000);
}

TEST(who_waits_asks_until_it_is_so)
{
	assert_ends(*state, "wait a little", TRIAL_FAILED, "asked 4 times, paused 3 times");
}

TESTS_SHARE(driven_setup, driven_teardown);
