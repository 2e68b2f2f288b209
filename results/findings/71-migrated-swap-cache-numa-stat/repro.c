// SPDX-License-Identifier: MIT
/*
 * After pages in the swap cache migrate to another node, memory.numa_stat counts them as file pages
 * of that node for good: migration moves the cgroup's NR_FILE_PAGES, which the swap cache had not
 * added. Needs root, cgroup v2, swap, and a second node. cc -static -o repro repro.c. Exit status:
 * 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 1024, PAGE = 4096, MOVE = 2, PAGEOUT = 21 };

static char group[] = "/tmp/finding71.XXXXXX/finding";

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), failed = fd < 0 || write(fd, text, strlen(text)) < 0;

	close(fd);
	return failed;
}

static const char *in(const char *folder, const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* Bytes of file pages on node 1. */
static long long on_node_1(void)
{
	FILE *f = fopen(in(group, "memory.numa_stat"), "r");
	char line[512], *at;
	long long n = -1;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "file ", 5) && (at = strstr(line, "N1=")))
			n = atoll(at + 3);
	if (f)
		fclose(f);
	return n;
}

static int act(void)
{
	static void *pages[PAGES];
	static int nodes[PAGES], status[PAGES];
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
	int moved = 0;
	pid_t pid;

	if (put(in(group, "cgroup.procs"), "0") || p == MAP_FAILED)
		return 4;
	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (int i = 0; i < PAGES; i++) {
		memset(p + i * PAGE, 1 + i % 100, 100);
		pages[i] = p + i * PAGE;
		nodes[i] = 1;
	}
	madvise(p, PAGES * PAGE, PAGEOUT);
	pid = fork(); /* it keeps the swap entries, so that pages that are read stay in the swap
			 cache */
	if (!pid)
		for (;;)
			pause();
	for (int i = 0; i < PAGES; i++)
		(void)*(volatile char *)pages[i];
	syscall(SYS_move_pages, 0, PAGES, pages, nodes, status, MOVE);
	for (int i = 0; i < PAGES; i++)
		moved += status[i] == 1;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return moved > PAGES / 2 ? 0 : 4;
}

int main(void)
{
	long long before, after;
	int status = 0;
	pid_t pid;
	char *root = strdup(group);

	*strrchr(root, '/') = 0;
	if (!mkdtemp(root))
		return 4;
	memcpy(group, root, strlen(root));
	if (mount("none", root, "cgroup2", 0, NULL))
		return 4;
	put(in(root, "cgroup.subtree_control"), "+memory");
	if (mkdir(group, 0755))
		return 4;
	before = on_node_1();
	pid = fork();
	if (!pid)
		_exit(act());
	waitpid(pid, &status, 0);
	put(in(group, "memory.reclaim"), "64M");
	sleep(3); /* the counters of memory.stat are flushed every 2 s */
	after = on_node_1();
	printf("file pages of node 1: %lld bytes before, %lld after all is unmapped (act %d)\n",
	       before, after, WEXITSTATUS(status));
	rmdir(group);
	umount(root);
	rmdir(root);
	return before < 0 || status ? 4 : after - before > PAGES * PAGE / 2;
}
