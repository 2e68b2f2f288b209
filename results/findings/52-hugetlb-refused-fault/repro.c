// SPDX-License-Identifier: MIT
/*
 * A hugetlbfs fault that the pool cannot serve costs the mount one page of its size= permanently. Here the mount allows
 * four pages and the pool has three: the write to the fourth gets SIGBUS; one page must be left.
 *
 * cc -static -o repro repro.c. Needs root. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HUGE = 2 << 20, ROOM = 4, POOL = 3 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		cannot_tell(path);
	close(fd);
}

static long of_meminfo(const char *name)
{
	char line[128];
	FILE *f = fopen("/proc/meminfo", "r");
	long n = -1;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			sscanf(line + strlen(name), ": %ld", &n);
	if (!f || n < 0)
		cannot_tell(name);
	fclose(f);
	return n;
}

static long left(const char *mount)
{
	struct statfs s;

	if (statfs(mount, &s))
		cannot_tell("statfs");
	return (long)s.f_bfree;
}

int main(void)
{
	char old[32], pages[32], options[64];
	long seen, taken = of_meminfo("HugePages_Rsvd");
	int fd, how = 0;
	char *p;

	snprintf(old, sizeof(old), "%ld", of_meminfo("HugePages_Total"));
	snprintf(pages, sizeof(pages), "%ld", POOL + taken);
	if (of_meminfo("HugePages_Free") != of_meminfo("HugePages_Total"))
		cannot_tell("others use hugetlb pages");
	snprintf(options, sizeof(options), "pagesize=%d,size=%d", HUGE, ROOM * HUGE);
	/* The mount disappears when this process ends. */
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/tmp", "hugetlbfs", 0, options))
		cannot_tell("mount");
	put("/proc/sys/vm/nr_hugepages", pages);
	fd = open("/tmp/file", O_RDWR | O_CREAT, 0600);
	p = mmap(NULL, ROOM * HUGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (p == MAP_FAILED || of_meminfo("HugePages_Free") != POOL + taken)
		cannot_tell("a pool of three");
	for (int i = 0; i < POOL; i++)
		p[i * HUGE] = 1;
	if (fork() == 0) {
		p[POOL * HUGE] = 1;
		_exit(0);
	}
	wait(&how);
	seen = left("/tmp");
	munmap(p, ROOM * HUGE);
	close(fd);
	unlink("/tmp/file");
	put("/proc/sys/vm/nr_hugepages", old);
	if (!WIFSIGNALED(how) || WTERMSIG(how) != SIGBUS)
		cannot_tell("the fault was not refused");
	printf("pages left to the mount after a refused fault: expected %d, seen %ld: %s\n", ROOM - POOL, seen,
	       seen == ROOM - POOL ? "right" : "WRONG");
	return seen != ROOM - POOL;
}
