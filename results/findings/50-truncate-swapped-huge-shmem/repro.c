// SPDX-License-Identifier: MIT
/*
 * If a huge page of shared memory is on swap, an ftruncate(2) that ends inside it never returns and cannot be killed, or it
 * returns and the data before the new end is lost.
 *
 * cc -static -o repro repro.c. Needs swap, and root or shmem_enabled set to advise. Exit status: 0 right, 1 wrong, 4 cannot
 * tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HUGE = 2 << 20 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static long kb_of(const char *file, const char *field)
{
	FILE *f = fopen(file, "r");
	char line[256];
	long kb = 0, value;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, field, strlen(field)) && sscanf(line + strlen(field), "%ld", &value) == 1)
			kb += value;
	return kb;
}

int main(void)
{
	int fd = memfd_create("huge", MFD_CLOEXEC), i = 0;
	int advise = open("/sys/kernel/mm/transparent_hugepage/shmem_enabled", O_WRONLY);
	pid_t child;
	char *p;

	if (advise >= 0 && write(advise, "advise", 6) != 6)
		cannot_tell("shmem_enabled");
	p = mmap((void *)0x200000000000, HUGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, ftruncate(fd, HUGE));
	if (p == MAP_FAILED || madvise(p, HUGE, MADV_HUGEPAGE))
		cannot_tell("huge shared memory");
	memset(p, 1, HUGE);
	if (kb_of("/proc/self/smaps", "ShmemPmdMapped:") != HUGE / 1024)
		cannot_tell("no huge page was to be had");
	if (madvise(p, HUGE, 21 /* MADV_PAGEOUT */) || kb_of("/proc/self/smaps", "Swap:") != HUGE / 1024)
		cannot_tell("it is not on swap");
	child = fork();
	if (!child)
		_exit(ftruncate(fd, HUGE / 2) ? 4 : 0);
	while (i < 200 && !waitpid(child, NULL, WNOHANG))
		i += usleep(100000) + 1;
	kill(child, SIGKILL);
	printf("ftruncate(2) returns: expected 1, seen %d: %s\n", i < 200, i < 200 ? "right" : "WRONG");
	fflush(stdout);
	if (i == 200)
		return 1;
	for (i = 0; i < HUGE / 2 && p[i] == 1; i++)
		;
	printf("bytes that are kept: expected %d, seen %d: %s\n", HUGE / 2, i, i == HUGE / 2 ? "right" : "WRONG");
	return i != HUGE / 2;
}
