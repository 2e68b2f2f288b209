// SPDX-License-Identifier: MIT
/*
 * oom_kill of memory.events counts a process twice if its whole cgroup is killed
 * (memory.oom.group). A cgroup has two processes, and one of them exceeds memory.max: both are
 * killed, and oom_kill is 3. cc -static -o repro repro.c. Needs root and cgroup v2 with its memory
 * controller. Exit status: 0 right, 1 wrong, 4 cannot tell.
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
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 2, LIMIT = 8 << 20, USED = 4 * LIMIT };

static char top[] = "/tmp/group-XXXXXX";
static int made_group, gave_memory;

static int put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY), ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

static void get(const char *file, char *text, size_t size)
{
	int fd = open(file, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);

	text[n > 0 ? n : 0] = '\0';
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

static void prepare(void)
{
	char given[256];

	if (!mkdtemp(top))
		exit(4);
	if (mount("none", top, "cgroup2", 0, NULL) || chdir(top))
		end(4);
	get("cgroup.subtree_control", given, sizeof(given));
	if (!strstr(given, "memory"))
		gave_memory = put("cgroup.subtree_control", "+memory");
	made_group = !mkdir("group", 0755);
	put("group/memory.swap.max", "0");
	if (!made_group || !put("group/memory.max", "8388608") ||
	    !put("group/memory.oom.group", "1"))
		end(4);
}

/* Starts a process in the cgroup. It waits until `go` has a byte, then it writes `size` bytes. */
static pid_t start(int go, size_t size)
{
	pid_t pid = fork();
	char byte, *p;

	if (pid)
		return pid;
	if (!put("group/cgroup.procs", "0"))
		_exit(1);
	while (!size)
		pause();
	if (read(go, &byte, 1) != 1)
		_exit(1);
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED)
		memset(p, 1, size);
	_exit(0);
}

/* Waits until both processes are in the cgroup. */
static int are_there(void)
{
	char text[256];

	for (int i = 0; i < 1000; i++) {
		get("group/cgroup.procs", text, sizeof(text));
		if (strchr(text, '\n') && strchr(text, '\n') != strrchr(text, '\n'))
			return 1;
		usleep(1000);
	}
	return 0;
}

int main(void)
{
	int go[2], status, killed = 0, counted = -1;
	char events[512], *line;
	pid_t pid[PROCESSES];

	prepare();
	if (pipe(go))
		end(4);
	pid[0] = start(go[0], 0);
	pid[1] = start(go[0], USED);
	if (!are_there() || write(go[1], "", 1) != 1) {
		put("group/cgroup.kill", "1");
		end(4);
	}
	waitpid(pid[1], &status, 0);
	killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	if (!killed)
		kill(pid[0], SIGTERM);
	waitpid(pid[0], &status, 0);
	killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	get("group/memory.events", events, sizeof(events));
	line = strstr(events, "oom_kill ");
	if (line)
		counted = atoi(line + strlen("oom_kill "));
	printf("%d processes were killed, oom_kill is %d\n", killed, counted);
	end(killed != PROCESSES || counted < 0 ? 4 : counted != killed);
}
