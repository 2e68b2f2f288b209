// SPDX-License-Identifier: MIT
/*
 * On a kernel without CONFIG_PTE_MARKER_UFFD_WP, PAGEMAP_SCAN reports swapped anonymous pages as written although
 * userfaultfd write-protects them. pagemap's bit 57 is set for the same pages. With that option PAGEMAP_SCAN does not
 * report them.
 *
 * cc -static -o repro repro.c. Needs swap. Exit status: 0 right, 1 wrong, 4 cannot tell.
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

enum { PAGE = 4096, PAGES = 64, BYTES = PAGES * PAGE };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static void watch_and_protect(char *p)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register watch = { { (uintptr_t)p, BYTES }, UFFDIO_REGISTER_MODE_WP, 0 };
	struct uffdio_writeprotect wp = { { (uintptr_t)p, BYTES }, UFFDIO_WRITEPROTECT_MODE_WP };

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &watch) ||
	    ioctl(fd, UFFDIO_WRITEPROTECT, &wp))
		cannot_tell("UFFDIO_WRITEPROTECT");
}

/* Returns the number of pages whose entries in /proc/self/pagemap have both bit 62 (swapped) and `bit`. */
static long swapped_and(const char *p, int bit)
{
	static uint64_t entry[PAGES];
	int fd = open("/proc/self/pagemap", O_RDONLY);
	long sum = 0;

	if (pread(fd, entry, sizeof(entry), (off_t)((uintptr_t)p / PAGE * 8)) != sizeof(entry))
		cannot_tell("/proc/self/pagemap");
	for (int i = 0; i < PAGES; i++)
		sum += entry[i] >> 62 & entry[i] >> bit & 1;
	close(fd);
	return sum;
}

/* The argument of PAGEMAP_SCAN (linux/fs.h, since 6.7). */
struct scan {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages, inverted, mask, anyof, returned;
};

static long swapped_and_written(char *p)
{
	enum { WRITTEN = 2, SWAPPED = 16 };
	static struct { uint64_t start, end, categories; } v[PAGES];
	struct scan arg = { .size = sizeof(arg), .start = (uintptr_t)p, .end = (uintptr_t)p + BYTES,
			    .vec = (uintptr_t)v, .vec_len = PAGES, .mask = WRITTEN | SWAPPED, .returned = WRITTEN | SWAPPED };
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
	char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long swapped, written;

	if (p == MAP_FAILED || madvise(p, BYTES, MADV_NOHUGEPAGE))
		cannot_tell("mmap");
	memset(p, 1, BYTES);
	watch_and_protect(p);
	madvise(p, BYTES, 21 /* MADV_PAGEOUT */);
	swapped = swapped_and(p, 57);
	if (!swapped || swapped != swapped_and(p, 62))
		cannot_tell("no page is swapped and protected");
	written = swapped_and_written(p);
	printf("%ld pages are on swap and protected; PAGE_IS_WRITTEN: expected 0, seen %ld: %s\n", swapped, written,
	       written ? "WRONG" : "right");
	return written != 0;
}
