// SPDX-License-Identifier: MIT
/*
 * UFFDIO_COPY and UFFDIO_ZEROPAGE to a page of a shared mapping beyond the end of the file fail
 * with ENOMEM, although memory is not short. Up to 7.0 it was EFAULT. cc -static -o repro repro.c.
 * Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int watch(char *p, size_t bytes)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register to = { .range = { (unsigned long)p, bytes },
				      .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &to))
		return -1;
	return fd;
}

int main(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int file = memfd_create("file", 0), fd = -1, copy, zero;
	static char from[1 << 16] __attribute__((aligned(1 << 16)));
	char *p = MAP_FAILED;

	if (file >= 0 && !ftruncate(file, page))
		p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (p != MAP_FAILED)
		fd = watch(p, 2 * page);
	if (fd < 0 || page > sizeof(from)) {
		puts("cannot tell");
		return 4;
	}

	struct uffdio_copy c = { .dst = (unsigned long)p + page,
				 .src = (unsigned long)from,
				 .len = page };
	struct uffdio_zeropage z = { .range = { (unsigned long)p + page, page } };

	memset(from, 1, page);
	copy = ioctl(fd, UFFDIO_COPY, &c) ? errno : 0;
	zero = ioctl(fd, UFFDIO_ZEROPAGE, &z) ? errno : 0;
	printf("beyond the end of the file UFFDIO_COPY: %s, UFFDIO_ZEROPAGE: %s\n", strerror(copy),
	       strerror(zero));
	return copy == ENOMEM || zero == ENOMEM;
}
