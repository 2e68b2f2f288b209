// SPDX-License-Identifier: MIT
/*
 * A write to memory.peak lowers the peaks that other descriptors show, if they were reset before. A first descriptor is
 * reset, 64 MiB are used and given back, a second descriptor is reset: the first no longer shows the 64 MiB.
 * cc -static -o repro repro.c. Needs root and cgroup v2 with its memory controller. Exit status: 0 right, 1 wrong,
 * 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USED = 64 << 20 };

static char top[] = "/tmp/peak-XXXXXX";
static int made_group, gave_memory;

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		perror(file);
	if (fd >= 0)
		close(fd);
}

/* Removes what prepare() made. */
static void end(int status)
{
	if (made_group)
		rmdir("group");
	if (gave_memory)
		put("cgroup.subtree_control", "-memory");
	if (!chdir("/"))
		umount2(top, MNT_DETACH);
	rmdir(top);
	exit(status);
}

static void cannot_tell(const char *why)
{
	perror(why);
	end(4);
}

static int is_given(const char *controller)
{
	char text[256] = "";
	int fd = open("cgroup.subtree_control", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		cannot_tell("cgroup.subtree_control");
	close(fd);
	return strstr(text, controller) != NULL;
}

static void prepare(void)
{
	if (!mkdtemp(top))
		exit(4);
	if (mount("none", top, "cgroup2", 0, NULL) || chdir(top))
		cannot_tell("cgroup2");
	if (!is_given("memory")) {
		put("cgroup.subtree_control", "+memory");
		gave_memory = is_given("memory");
	}
	made_group = !mkdir("group", 0755);
	if (!made_group)
		cannot_tell("group");
}

static int open_peak(void)
{
	int fd = open("group/memory.peak", O_RDWR);

	if (fd < 0)
		cannot_tell("memory.peak for reading and writing");
	return fd;
}

static void reset(int fd)
{
	if (write(fd, "reset\n", 6) != 6)
		cannot_tell("a reset of memory.peak");
}

static long shown(int fd)
{
	char text[32] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0)
		cannot_tell("memory.peak");
	return strtol(text, NULL, 10);
}

/* A process in the cgroup writes to 64 MiB and ends. */
static void use_memory(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		char *p;

		put("group/cgroup.procs", "0");
		p = mmap(NULL, USED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			_exit(4);
		memset(p, 1, USED);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		cannot_tell("a process that uses memory");
}

int main(void)
{
	long before, after;
	int first, second;

	prepare();
	first = open_peak();
	second = open_peak();
	reset(first);
	use_memory();
	before = shown(first);
	reset(second);
	after = shown(first);
	close(first);
	close(second);
	printf("the first descriptor shows %ld bytes, after the reset of the second %ld\n", before, after);
	if (before < USED)
		end(4);
	end(after < before);
}
