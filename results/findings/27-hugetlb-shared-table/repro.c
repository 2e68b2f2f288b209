// SPDX-License-Identifier: MIT
/*
 * Two processes share the page table of 1 GiB of hugetlb memory with one present page. When the process that faulted the
 * page in unmaps all of it, its HugetlbPages does not fall. (If the other process unmaps it next, that process's
 * HugetlbPages falls below 0.)
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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

static long number(const char *path)
{
	char text[32] = "-1";
	int fd = open(path, O_RDONLY);

	(void)!read(fd, text, sizeof(text) - 1);
	close(fd);
	return atol(text);
}

/* Returns a field of /proc/self/status in kB; -1 if it is missing. */
static long long status(const char *field)
{
	FILE *f = fopen("/proc/self/status", "r");
	long long value = -1;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, field, strlen(field)) && line[strlen(field)] == ':')
			value = atoll(line + strlen(field) + 1);
	fclose(f);
	return value;
}

#define GIGA (1UL << 30)

int main(void)
{
	int fd = (int)syscall(SYS_memfd_create, "x", 4U /* MFD_HUGETLB */), up[2], down[2];
	char *p = (char *)(1UL << 40), byte;
	pid_t child;

	put("/proc/sys/vm/nr_hugepages", "4");
	if (fd < 0 || ftruncate(fd, GIGA) || pipe(up) || pipe(down))
		cannot_tell("hugetlb");
	child = fork();
	if (mmap(p, GIGA, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0) != p)
		cannot_tell("mmap");
	if (!child) {
		if (read(down[0], &byte, 1) == 1 && !*(volatile char *)(p + 1) && write(up[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	if (number("/proc/sys/vm/nr_hugepages") < 1)
		cannot_tell("no hugetlb pages");
	*p = 1;
	if (write(down[1], "", 1) != 1 || read(up[0], &byte, 1) != 1)
		cannot_tell("the child");
	munmap(p, GIGA);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	verdict("kB of HugetlbPages with nothing mapped", 0, (long)status("HugetlbPages"));
}
