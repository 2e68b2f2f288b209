// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN reports an absent hugetlb page as swapped if userfaultfd write-protects it. Hugetlb pages are never on swap.
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
	char *p;
	int fd;

	put("/proc/sys/vm/nr_hugepages", "2");
	p = mmap(NULL, HUGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (p == MAP_FAILED)
		cannot_tell("hugetlb");
	fd = userfaultfd_of(p, HUGE, 1 << 12 /* WP_HUGETLBFS_SHMEM */, UFFDIO_REGISTER_MODE_WP);
	protect(fd, p, HUGE);
	verdict("pages that are PAGE_IS_SWAPPED", 0, scan(p, HUGE, 0, 16 /* PAGE_IS_SWAPPED */));
}
