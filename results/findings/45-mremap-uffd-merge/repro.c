// SPDX-License-Identifier: MIT
/*
 * When mremap(2) moves one page of untouched memory, registered with userfaultfd, directly behind the rest, all of the
 * memory is unregistered. Fixed in 7.3.4 ("mm/vma: avoid broken uffd merge on mremap").
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <errno.h>
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

int main(void)
{
	char *hole = mmap(NULL, 64 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *p = hole + 16 * PAGE;
	struct uffdio_writeprotect wp = { { (uintptr_t)p, PAGE }, UFFDIO_WRITEPROTECT_MODE_WP };
	int fd;

	mmap(p, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	munmap(hole, 16 * PAGE);
	munmap(p + 16 * PAGE, 32 * PAGE);
	fd = userfaultfd_of(p, 16 * PAGE, 0, UFFDIO_REGISTER_MODE_WP);
	if (mremap(p + 9 * PAGE, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, p + 16 * PAGE) == MAP_FAILED)
		cannot_tell("mremap");
	verdict("UFFDIO_WRITEPROTECT of a page that was not moved", 0, ioctl(fd, UFFDIO_WRITEPROTECT, &wp) ? errno : 0);
}
