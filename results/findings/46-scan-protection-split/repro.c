// SPDX-License-Identifier: MIT
/*
 * When a file's huge page is split, the write protection that PAGEMAP_SCAN set is lost: all pages are then PAGE_IS_WRITTEN,
 * although none was written.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, HUGE = 2UL << 20 };

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

/* Maps memory at a multiple of 2 MiB. */
static char *aligned(size_t bytes, int flags)
{
	char *p = mmap((char *)(1UL << 40), bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	return p != MAP_FAILED ? p : (cannot_tell("mmap"), p);
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

int main(void)
{
	char *p = aligned(HUGE, MAP_SHARED);

	put("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "advise");
	madvise(p, HUGE, MADV_HUGEPAGE);
	memset(p, 1, HUGE);
	if (madvise(p, HUGE, 25 /* MADV_COLLAPSE */) || !*(volatile char *)p)
		cannot_tell("no huge page of shmem");
	userfaultfd_of(p, HUGE, 1 << 15 | 1 << 13 /* WP_ASYNC, WP_UNPOPULATED */, UFFDIO_REGISTER_MODE_WP);
	if (scan(p, HUGE, 1 /* PM_SCAN_WP_MATCHING */, 2 /* PAGE_IS_WRITTEN */) != 512 || scan(p, HUGE, 0, 2))
		cannot_tell("PAGEMAP_SCAN did not protect");
	mprotect(p + PAGE, PAGE, PROT_READ);
	for (int i = 0; i < 512; i++)
		(void)*(volatile char *)(p + i * PAGE);
	verdict("pages that are PAGE_IS_WRITTEN", 0, scan(p, HUGE, 0, 2));
}
