// SPDX-License-Identifier: MIT
/*
 * If fork does not copy zero pages that KSM has placed (MADV_WIPEONFORK, MADV_DONTFORK), ksm_zero_pages counts them
 * permanently.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

#define KSM "/sys/kernel/mm/ksm/"

enum { PAGES = 8 };

static int merge_and_fork(long before)
{
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t child;

	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (int i = 0; i < PAGES; i++)
		*(volatile char *)(p + i * PAGE) = 0;
	madvise(p, PAGES * PAGE, MADV_MERGEABLE);
	if (put(KSM "use_zero_pages", "1") || put(KSM "pages_to_scan", "10000") || put(KSM "run", "1"))
		return 4;
	for (int i = 0; i < 200 && number(KSM "ksm_zero_pages") < before + PAGES; i++)
		usleep(100000);
	put(KSM "run", "0");
	if (number(KSM "ksm_zero_pages") < before + PAGES || madvise(p, PAGES * PAGE, MADV_WIPEONFORK))
		return 4;
	child = fork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return 0;
}

int main(void)
{
	long before = number(KSM "ksm_zero_pages");
	pid_t child = before < 0 ? 0 : fork();
	int how;

	if (before < 0)
		cannot_tell("ksm_zero_pages");
	if (!child)
		_exit(merge_and_fork(before));
	waitpid(child, &how, 0);
	if (how)
		cannot_tell("ksmd has placed no zero pages");
	usleep(200000);
	verdict("zero pages of KSM when all have ended", before, number(KSM "ksm_zero_pages"));
}
