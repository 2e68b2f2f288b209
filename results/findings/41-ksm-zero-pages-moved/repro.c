// SPDX-License-Identifier: MIT
/*
 * After UFFDIO_MOVE of zero pages that KSM has placed, ksm_zero_pages counts them permanently, even when they are unmapped.
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

struct move {
	uint64_t dst, src, len, mode;
	int64_t moved;
};

int main(void)
{
	enum { PAGES = 64 };
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *to = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct move move = { (uintptr_t)to, (uintptr_t)p, PAGES * PAGE, 0, 0 };
	long before = number(KSM "ksm_zero_pages");
	int fd;

	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	madvise(to, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (int i = 0; i < PAGES; i++)
		*(volatile char *)(p + i * PAGE) = 0;
	madvise(p, PAGES * PAGE, MADV_MERGEABLE);
	if (put(KSM "use_zero_pages", "1") || put(KSM "pages_to_scan", "10000") || put(KSM "run", "1"))
		cannot_tell("KSM");
	for (int i = 0; i < 200 && number(KSM "ksm_zero_pages") < before + PAGES; i++)
		usleep(100000);
	put(KSM "run", "0");
	if (before < 0 || number(KSM "ksm_zero_pages") < before + PAGES)
		cannot_tell("ksmd has placed no zero pages");
	fd = userfaultfd_of(to, PAGES * PAGE, 0, UFFDIO_REGISTER_MODE_MISSING);
	if (ioctl(fd, _IOWR(0xAA, 5, struct move), &move))
		cannot_tell("UFFDIO_MOVE");
	close(fd);
	munmap(p, PAGES * PAGE);
	munmap(to, PAGES * PAGE);
	verdict("zero pages of KSM with all of it unmapped", before, number(KSM "ksm_zero_pages"));
}
