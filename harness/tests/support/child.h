// SPDX-License-Identifier: MIT
#ifndef RSSCK_TEST_CHILD_H
#define RSSCK_TEST_CHILD_H

#include "tests/support/test.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/*
 * child_begin() forks a child that does not outlive the test; in the child it returns 0. The child
 * ends with child_stands(), which tells the test that the child is ready, and waits.
 * child_await() waits until the child is ready.
 */
static inline pid_t child_begin(int ready[2])
{
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static inline _Noreturn void child_stands(const int ready[2])
{
	if (write(ready[1], "", 1) == 1)
		pause();
	_exit(1);
}

static inline void child_await(const int ready[2])
{
	char byte;

	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
}

static inline void child_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#endif
