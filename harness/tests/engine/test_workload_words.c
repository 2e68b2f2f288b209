// SPDX-License-Identifier: MIT
/* Words of the workload that ask others: a process of its own, the kernel's files, time. */
#include "tests/support/driven.h"
#include <string.h>

/* At the step "write", which is the second. */
static void assert_ends(const struct engine *e, const char *how, enum trial_end end,
			const char *reason)
{
	struct trial t;

	driven_misbehave("write", how);
	t = driven_trial(e);
	driven_misbehave(NULL, NULL);
	if (t.end != end || !strstr(t.reason, reason))
		fail_msg("%s: end %d, \"%s\"; expected end %d, \"%s\"", how, t.end, t.reason, end,
			 reason);
	trial_free(&t);
	assert_nobody_left();
}

static void test_a_process_of_its_own_says_a_number(void **state)
{
	assert_ends(*state, "ask a child", TRIAL_FAILED, "the child says 7");
}

static void test_a_process_of_its_own_that_is_killed_is_an_error(void **state)
{
	assert_ends(*state, "a child is killed", TRIAL_ERROR,
		    "a process of its own was killed by signal 9 (Killed)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_process_of_its_own_says_a_number),
		cmocka_unit_test(test_a_process_of_its_own_that_is_killed_is_an_error),
	};

	return cmocka_run_group_tests_name("workload: words", tests, driven_setup, driven_teardown);
}
