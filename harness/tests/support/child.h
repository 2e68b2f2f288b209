// SPDX-License-Identifier: MIT
#ifndef RSSCK_TEST_CHILD_H
#define RSSCK_TEST_CHILD_H

#include "tests/support/test.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
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

/* Waits for a child. Returns its exit status, or the negative number of the signal that ended it.
 */
static inline int child_status(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* A setup: makes the test the parent of processes that outlive their own parent. */
int adopt_orphans(void **state);

/*
 * Waits until all children of the test have ended, among them adopted ones. Returns their number.
 * Fails the test if one is left.
 */
unsigned assert_nobody_left(void);

/* Map anonymous memory, private or shared with later children. */
static inline char *map_private(size_t size)
{
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	return at;
}

static inline char *map_shared(size_t size)
{
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	return at;
}

#endif
