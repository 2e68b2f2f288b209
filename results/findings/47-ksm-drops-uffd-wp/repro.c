// SPDX-License-Identifier: MIT
/*
 * When KSM merges pages that userfaultfd write-protects, they lose the protection, and writes to them are missed.
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

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	ssize_t written = write(fd, text, strlen(text));

	close(fd);
	return written > 0 ? 0 : -1;
}

static long number(const char *path)
{
	char text[32] = "-1";
	int fd = open(path, O_RDONLY);

	(void)!read(fd, text, sizeof(text) - 1);
	close(fd);
	return atol(text);
}

/* Returns how many of the pages have the bit set in /proc/self/pagemap. */
static long bits(const char *p, int pages, int bit)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry;
	long sum = 0;

	for (int i = 0; i < pages; i++) {
		if (pread(fd, &entry, 8, (off_t)(((uintptr_t)p / PAGE + i) * 8)) != 8)
			cannot_tell("pagemap");
		sum += entry >> bit & 1;
	}
	close(fd);
	return sum;
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

#define KSM "/sys/kernel/mm/ksm/"

int main(void)
{
	enum { PAGES = 4 };
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_writeprotect wp = { { (uintptr_t)p, PAGES * PAGE }, UFFDIO_WRITEPROTECT_MODE_WP };
	long before = number(KSM "pages_sharing");
	int fd = userfaultfd_of(p, PAGES * PAGE, 0, UFFDIO_REGISTER_MODE_WP);

	memset(p, 7, PAGES * PAGE);
	if (ioctl(fd, UFFDIO_WRITEPROTECT, &wp) || bits(p, PAGES, 57) != PAGES)
		cannot_tell("bit 57");
	madvise(p, PAGES * PAGE, MADV_MERGEABLE);
	put(KSM "run", "1");
	for (int i = 0; i < 200 && number(KSM "pages_sharing") < before + PAGES - 1; i++)
		usleep(100000);
	put(KSM "run", "0");
	if (number(KSM "pages_sharing") < before + PAGES - 1)
		cannot_tell("ksmd did not merge");
	verdict("pages that are still protected", PAGES, bits(p, PAGES, 57));
}
