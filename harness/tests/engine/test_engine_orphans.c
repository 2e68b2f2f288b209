// SPDX-License-Identifier: MIT
/*
 * The observer is killed with SIGKILL in the middle of each step. No process of its workload
 * survives.
 */
#include "tests/support/driven.h"
#include "tests/workload/misbehaving.h"

/*
 * Starts a second observer, whose workload waits at this step; *waiting is the process that waits.
 * The caller kills the observer before it can clean up.
 */
static pid_t observe_elsewhere(const struct engine *e, const char *step, pid_t *waiting)
{
	int heard_from, tell_to = driven_pipe(&heard_from);
	pid_t observer;

	driven_misbehave(step, "wait");
	observer = fork();
	if (observer == 0) {
		struct trial t = driven_trial(e);

		_exit(t.end);
	}
	close(tell_to);
	assert_int_equal(read(heard_from, waiting, sizeof(*waiting)), sizeof(*waiting));
	close(heard_from);
	return observer;
}

static void assert_nothing_survives(const struct engine *e, const char *step, int sig)
{
	pid_t waiting, observer = observe_elsewhere(e, step, &waiting);

	assert_int_equal(kill(waiting, 0), 0);
	kill(observer, sig);
	assert_int_equal(waitpid(observer, NULL, 0), observer);
	/* At least the waiting process is left, and its leader if it was forked. */
	assert_true(assert_nobody_left() >= 1);
	assert_int_equal(kill(waiting, 0), -1);
}

TEST(no_process_survives_an_observer_killed_at_each_step)
{
	for (int i = 0; i < DRIVEN_STEPS; i++)
		assert_nothing_survives(*state, driven_steps[i], SIGKILL);
}

TEST(no_process_survives_an_observer_that_crashes)
{
	assert_nothing_survives(*state, "child", SIGABRT);
	assert_nothing_survives(*state, "unmap", SIGTERM);
}

TESTS_SHARE(driven_setup, driven_teardown);
