// SPDX-License-Identifier: MIT
/*
 * The processes that bench.sh scans. Prints "ready" and waits until it is killed, or until its
 * parent ends.
 *
 *   target memory MiB [MAPPINGS [TiB]]  touches this much memory, without huge pages, in this
 *                                       many mappings, and reserves address space in addition
 *   target processes N                  starts N processes, each with 0.25 MiB that all of them
 *                                       share and 0.25 MiB of private memory
 *   target server MiB N FILE            a process maps a new file of this size, and N children
 *                                       map it, too
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { QUARTER = 1 << 18 };

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

static char *map(size_t size, int protection, int flags)
{
	char *p = mmap(NULL, size, protection, MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		give_up("mmap");
	madvise(p, size, MADV_NOHUGEPAGE);
	return p;
}

/* Neighbouring mappings with different permissions do not merge. */
static void touch_mappings(size_t bytes, size_t nr)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), each = bytes / nr / page * page;

	each = each ? each : page;
	for (size_t i = 0; i < nr; i++) {
		char *p = map(each, PROT_READ | PROT_WRITE, MAP_PRIVATE);

		memset(p, 1, each);
		if (i % 2)
			mprotect(p, each, PROT_READ);
	}
}

static void ready(void)
{
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}

static void memory(size_t mib, size_t mappings, size_t tib)
{
	if (tib)
		map(tib << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE);
	touch_mappings(mib << 20, mappings ? mappings : 1);
	ready();
}

static void processes(size_t nr)
{
	char *shared = map(QUARTER, PROT_READ | PROT_WRITE, MAP_SHARED);

	for (size_t i = 0; i < nr; i++) {
		pid_t pid = fork();

		if (pid < 0)
			give_up("fork");
		if (pid)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		memset(shared, 1, QUARTER);
		touch_mappings(QUARTER, 1);
		for (;;)
			pause();
	}
	ready();
}

static void read_pages(const volatile char *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += (size_t)sysconf(_SC_PAGESIZE))
		(void)p[i];
}

static void server(size_t mib, size_t nr, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char *block = map(1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE), *file;

	if (fd < 0)
		give_up(path);
	for (size_t i = 0; i < mib; i++)
		if (write(fd, block, 1 << 20) != 1 << 20)
			give_up(path);
	file = mmap(NULL, mib << 20, PROT_READ, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		give_up("mmap");
	read_pages(file, mib << 20);
	for (size_t i = 0; i < nr; i++) {
		pid_t pid = fork();

		if (pid < 0)
			give_up("fork");
		if (pid)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		read_pages(file, mib << 20);
		for (;;)
			pause();
	}
	ready();
}

int main(int argc, char **argv)
{
	size_t n[3] = { 0 };

	for (int i = 2; i < argc && i < 5; i++)
		n[i - 2] = strtoul(argv[i], NULL, 10);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (argc > 2 && !strcmp(argv[1], "memory"))
		memory(n[0], n[1], n[2]);
	if (argc == 3 && !strcmp(argv[1], "processes"))
		processes(n[0]);
	if (argc == 5 && !strcmp(argv[1], "server"))
		server(n[0], n[1], argv[4]);
	fprintf(stderr, "usage: target memory MiB [MAPPINGS [TiB]] | target processes N | "
			"target server MiB N FILE\n");
	return 2;
}
