// SPDX-License-Identifier: MIT
#ifndef RSSCK_TEST_CHILD_H
#define RSSCK_TEST_CHILD_H

#include <signal.h>
#include <sys/wait.h>

static inline void child_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#endif
