// SPDX-License-Identifier: MIT
/*
 * mremap(2) moves memory that userfaultfd write-protects. The new place is not registered, so none of its pages may stay
 * protected (bit 57 of pagemap).
 *
 * cc -static -o repro repro.c. Needs root, or vm.unprivileged_userfaultfd. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES = 16 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static int protected_pages(const char *p, long page)
{
	int n = 0, fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry[PAGES];

	if (pread(fd, entry, sizeof(entry), (off_t)((uintptr_t)p / (size_t)page * 8)) != sizeof(entry))
		cannot_tell("pagemap");
	close(fd);
	for (int i = 0; i < PAGES; i++)
		n += entry[i] >> 57 & 1;
	return n;
}

int main(void)
{
	long page = sysconf(_SC_PAGESIZE);
	size_t bytes = (size_t)(PAGES * page);
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *to = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP };
	struct uffdio_register range = { .range = { (uintptr_t)p, bytes }, .mode = UFFDIO_REGISTER_MODE_WP };
	struct uffdio_writeprotect wp = { .range = range.range, .mode = UFFDIO_WRITEPROTECT_MODE_WP };
	int left, fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	for (int i = 0; i < PAGES; i++)
		p[i * page] = 1;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &range) ||
	    ioctl(fd, UFFDIO_WRITEPROTECT, &wp))
		cannot_tell("userfaultfd");
	if (protected_pages(p, page) != PAGES)
		cannot_tell("bit 57");
	if (mremap(p, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to)
		cannot_tell("mremap");
	left = protected_pages(to, page);
	printf("pages protected where nothing is registered: expected 0, seen %d: %s\n", left, left ? "WRONG" : "right");
	return left != 0;
}
