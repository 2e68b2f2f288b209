// SPDX-License-Identifier: MIT
/*
 * madvise(MADV_GUARD_INSTALL) never returns on shared memory that userfaultfd has write-protected.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static _Noreturn void verdict(const char *what, long expected, long seen)
{
	printf("%s: expected %ld, seen %ld: %s\n", what, expected, seen, expected == seen ? "right" : "WRONG");
	exit(expected != seen);
}

static int userfaultfd_of(char *p, size_t bytes, uint64_t features, uint64_t mode)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	struct uffdio_api api = { .api = UFFD_API, .features = features };
	struct uffdio_register watch = { { (uintptr_t)p, bytes }, mode, 0 };

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &watch))
		cannot_tell("userfaultfd");
	return fd;
}

static void protect(int fd, char *p, size_t bytes)
{
	struct uffdio_writeprotect wp = { { (uintptr_t)p, bytes }, UFFDIO_WRITEPROTECT_MODE_WP };

	if (ioctl(fd, UFFDIO_WRITEPROTECT, &wp))
		cannot_tell("UFFDIO_WRITEPROTECT");
}

/* Returns 1 if act() returns within five seconds, else 0. Runs act() in a child, which is then killed. */
static int returns(void (*act)(void))
{
	pid_t child = fork();
	int how = 0, i = 0;

	if (!child)
		_exit((act(), 0));
	while (i < 50 && !waitpid(child, &how, WNOHANG))
		i += usleep(100000) + 1;
	if (i < 50 && how)
		cannot_tell("the child failed");
	kill(child, SIGKILL);
	return i < 50;
}

static void install(void)
{
	char *p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = userfaultfd_of(p, 4 * PAGE, 1 << 12 /* WP_HUGETLBFS_SHMEM */, UFFDIO_REGISTER_MODE_WP);

	memset(p, 1, 4 * PAGE);
	protect(fd, p, 4 * PAGE);
	if (madvise(p, 4 * PAGE, 102 /* MADV_GUARD_INSTALL */) && errno == EINVAL)
		_exit(4);
}

int main(void)
{
	verdict("MADV_GUARD_INSTALL returns", 1, returns(install));
}
