// SPDX-License-Identifier: MIT
/*
 * When mremap(2) moves a part of a private hugetlb mapping, the rest loses its reservation: a write to it gets SIGBUS, and
 * HugePages_Rsvd stays too high after all is unmapped.
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HUGE = 2UL << 20, PAGES = 4 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static int wrong(const char *what, long expected, long seen)
{
	printf("%s: expected %ld, seen %ld: %s\n", what, expected, seen, expected == seen ? "right" : "WRONG");
	return expected != seen;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		cannot_tell(path);
	close(fd);
}

static long reserved(void)
{
	char line[128];
	FILE *f = fopen("/proc/meminfo", "r");
	long n = -1;

	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "HugePages_Rsvd: %ld", &n);
	if (n < 0)
		cannot_tell("HugePages_Rsvd");
	fclose(f);
	return n;
}

/* Maps PAGES hugetlb pages without touching them, and moves the first. Then writes to the other pages, if told so. */
static void move_one(int write_to_the_rest)
{
	char *to = mmap(NULL, 2 * HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *p = mmap(NULL, PAGES * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (p == MAP_FAILED || to == MAP_FAILED)
		_exit(4);
	to += HUGE - (unsigned long)to % HUGE;
	if (mremap(p, HUGE, HUGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to)
		_exit(4);
	for (int i = 1; write_to_the_rest && i < PAGES; i++)
		p[i * HUGE] = 1;
}

/* Runs move_one() in a child. Returns the number of the signal that ended the child, or 0. */
static int signal_of(int write_to_the_rest)
{
	pid_t child = fork();
	int how = 0;

	if (!child) {
		move_one(write_to_the_rest);
		_exit(0);
	}
	waitpid(child, &how, 0);
	if (WIFEXITED(how) && WEXITSTATUS(how))
		cannot_tell("the child failed");
	return WIFSIGNALED(how) ? WTERMSIG(how) : 0;
}

int main(void)
{
	int bad;

	put("/proc/sys/vm/nr_hugepages", "4");
	if (reserved())
		cannot_tell("others use hugetlb pages");
	bad = wrong("the signal of a write to reserved memory", 0, signal_of(1));
	put("/proc/sys/vm/nr_hugepages", "16");
	bad |= wrong("pages reserved when nothing is mapped", 0, reserved());
	exit(bad);
}
