// SPDX-License-Identifier: MIT
/*
 * A second UFFDIO_REGISTER, for MISSING only, removes a range's write-protect mode but not its uffd-wp bits: a write to a
 * private hugetlb page with that bit then never ends.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
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

enum { HUGE = 2UL << 20 };

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

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	ssize_t written = write(fd, text, strlen(text));

	close(fd);
	return written > 0 ? 0 : -1;
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

static void write_to_it(void)
{
	char *p = mmap(NULL, HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	struct uffdio_register again = { { (uintptr_t)p, HUGE }, UFFDIO_REGISTER_MODE_MISSING, 0 };
	int fd;

	if (p == MAP_FAILED)
		_exit(4);
	memset(p, 1, HUGE);
	fd = userfaultfd_of(p, HUGE, 1 << 12 /* WP_HUGETLBFS_SHMEM */, UFFDIO_REGISTER_MODE_WP);
	protect(fd, p, HUGE);
	if (!ioctl(fd, UFFDIO_REGISTER, &again))
		p[0] = 2;
}

int main(void)
{
	put("/proc/sys/vm/nr_hugepages", "4");
	verdict("the write returns", 1, returns(write_to_it));
}
