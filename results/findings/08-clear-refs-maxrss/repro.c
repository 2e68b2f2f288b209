// SPDX-License-Identifier: MIT
/*
 * Writing 5 to clear_refs makes the kernel forget the peak that wait4(2) reports as ru_maxrss.
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
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

enum { BYTES = 48 << 20 };

int main(void)
{
	pid_t child = fork();
	struct rusage usage;
	int how;

	if (!child) {
		char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		memset(p, 1, BYTES);
		munmap(p, BYTES);
		_exit(put("/proc/self/clear_refs", "5") ? 4 : 0);
	}
	if (wait4(child, &how, 0, &usage) != child || how)
		cannot_tell("clear_refs");
	verdict("a peak of 48 MiB is in ru_maxrss", 1, usage.ru_maxrss >= BYTES / 1024 * 9 / 10);
}
