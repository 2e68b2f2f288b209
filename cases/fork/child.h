// SPDX-License-Identifier: MIT
/* Starts a process or a thread as clone(2) may, and executes a file that is no program. */
#ifndef CASES_FORK_CHILD_H
#define CASES_FORK_CHILD_H

#include <linux/futex.h>
#include <rssck/case.h>
#include <sched.h>

enum { STACK_BYTES = 256 << 10 };
enum { THREAD = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM };

static char *stacks; /* of the child, and of a thread that it starts */

static inline bool stacks_map(void)
{
	stacks = workload_try_map(2 * STACK_BYTES, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_NORESERVE, -1);
	return stacks;
}

/*
 * Runs run() in a child, or in this process if `flags` of clone(2) are 0. *tid becomes 0 when the
 * child has ended. Returns 0 or the child; -1 with errno if there is none.
 */
static inline pid_t child_run(int flags, int (*run)(void *), void *argument, pid_t *tid)
{
	if (flags)
		return clone(run, stacks + 2 * STACK_BYTES,
			     flags | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID, argument, tid,
			     NULL, tid);
	run(argument);
	return 0;
}

/* The parent must not use the memory of a thread, which errno is part of, until it ends. */
static inline void child_await_thread(const pid_t *at)
{
	pid_t tid;

	while ((tid = __atomic_load_n(at, __ATOMIC_SEQ_CST)) != 0)
		syscall(SYS_futex, at, FUTEX_WAIT, tid, NULL, NULL, 0);
}

/*
 * The kernel makes an mm for a file that it may execute, and finds out that it is no program.
 * Returns 0 if it refuses it for that, else errno.
 */
static inline int exec_no_program(void)
{
	int fd = (int)syscall(SYS_memfd_create, "no program", 0UL), error = 0;
	char path[40];

	snprintf(path, sizeof(path), "/proc/thread-self/fd/%d", fd);
	if (fd < 0 || write(fd, path, sizeof(path)) < 0 || fchmod(fd, 0755))
		error = errno;
	else if (execl(path, "no program", (char *)NULL) == 0 ||
		 (errno != ENOEXEC && errno != ETXTBSY))
		error = errno;
	close(fd);
	return error;
}

#endif
