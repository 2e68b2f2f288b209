// SPDX-License-Identifier: MIT
/*
 * mlock(2) never returns if a file's page is not in the page cache and its entry is a uffd-wp marker.
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

/* The argument of PAGEMAP_SCAN (linux/fs.h, since 6.7). scan() returns how many pages have the category. */
struct scan {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages, inverted, mask, anyof, returned;
};

static long scan(char *p, size_t bytes, uint64_t flags, uint64_t category)
{
	static struct { uint64_t start, end, categories; } v[512];
	struct scan arg = { .size = sizeof(arg), .flags = flags, .start = (uintptr_t)p, .end = (uintptr_t)p + bytes,
			    .vec = (uintptr_t)v, .vec_len = 512, .mask = category, .returned = category };
	int fd = open("/proc/self/pagemap", O_RDONLY), nr = ioctl(fd, _IOWR('f', 16, struct scan), &arg);
	long pages = 0;

	if (nr < 0)
		cannot_tell("PAGEMAP_SCAN");
	while (nr--)
		pages += (long)((v[nr].end - v[nr].start) / PAGE);
	return pages;
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

static const char *name;

static void lock(void)
{
	int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *p;

	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, ftruncate(file, PAGE) | unlink(name));
	userfaultfd_of(p, PAGE, 1 << 15 | 1 << 13 /* WP_ASYNC, WP_UNPOPULATED */, UFFDIO_REGISTER_MODE_WP);
	scan(p, PAGE, 1 /* PM_SCAN_WP_MATCHING */, 2 /* PAGE_IS_WRITTEN */);
	mlock(p, PAGE);
}

/* The argument: the name of a new file on ext4, xfs, ramfs ..., not on tmpfs. */
int main(int argc, char **argv)
{
	name = argv[argc - 1];
	verdict("mlock(2) returns", 1, returns(lock));
}
