// SPDX-License-Identifier: MIT
/* Finds processes and threads in /proc. */
#include "find.h"
#include "base/memory.h"
#include "base/number.h"
#include <dirent.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <rssck/source.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static void pids_add(struct pids *p, pid_t pid)
{
	p->of = memory_one_more(p->of, p->nr, sizeof(*p->of), "the processes of a program");
	p->of[p->nr++] = pid;
}

void pids_free(struct pids *p)
{
	free(p->of);
	*p = (struct pids) { .of = NULL };
}

static void numbers_in(const char *folder, struct pids *found)
{
	DIR *d = opendir(folder);
	uint64_t number;

	for (struct dirent *e; d && (e = readdir(d));)
		if (number_whole(e->d_name, INT32_MAX, &number))
			pids_add(found, (pid_t)number);
	if (d)
		closedir(d);
}

void find_threads(pid_t pid, struct pids *found)
{
	char folder[64];

	snprintf(folder, sizeof(folder), "/proc/%d/task", pid);
	numbers_in(folder, found);
}

static void parse_children(const char *text, struct pids *found)
{
	char *end;

	for (;;) {
		long pid = strtol(text, &end, 10);

		if (end == text)
			return;
		pids_add(found, (pid_t)pid);
		text = end;
	}
}

static pid_t parent_of(pid_t pid, struct text *t)
{
	const char *end;
	int parent = 0;

	if (text_read(t, pid, "stat") || !(end = memrchr(t->data, ')', t->len)))
		return 0;
	return sscanf(end, ") %*c %d", &parent) == 1 ? parent : 0;
}

static void ask_all(pid_t pid, struct pids *found, struct text *t)
{
	struct pids all = { .of = NULL };

	numbers_in("/proc", &all);
	for (size_t i = 0; i < all.nr; i++)
		if (parent_of(all.of[i], t) == pid)
			pids_add(found, all.of[i]);
	pids_free(&all);
}

void find_children(pid_t pid, struct pids *found)
{
	struct pids threads = { .of = NULL };
	struct text t = { .data = NULL };

	if (access("/proc/thread-self/children", F_OK)) {
		ask_all(pid, found, &t);
		text_free(&t);
		return;
	}
	find_threads(pid, &threads);
	for (size_t i = 0; i < threads.nr; i++) {
		char file[64];

		snprintf(file, sizeof(file), "task/%d/children", threads.of[i]);
		if (text_read(&t, pid, file) == 0)
			parse_children(t.data, found);
	}
	pids_free(&threads);
	text_free(&t);
}

/* Returns what follows the name in a thread's stat, beginning with the state, or NULL. */
static const char *stat_rest(pid_t pid, pid_t tid, char *buf, size_t size)
{
	char path[64];
	const char *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, buf, size - 1);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return NULL;
	buf[n] = '\0';
	end = strrchr(buf, ')');
	return end && end[1] == ' ' ? end + 2 : NULL;
}

char find_state(pid_t pid, pid_t tid)
{
	char buf[1024];
	const char *rest = stat_rest(pid, tid, buf, sizeof(buf));

	return rest ? *rest : '\0';
}

static pid_t status_number(pid_t tid, const char *name)
{
	struct text t = { .data = NULL };
	const char *line = NULL;
	pid_t number = 0;

	if (text_read(&t, tid, "status") == 0)
		line = strstr(t.data, name);
	if (line)
		number = (pid_t)strtol(line + strlen(name), NULL, 10);
	text_free(&t);
	return number;
}

pid_t find_process(pid_t tid)
{
	return status_number(tid, "\nTgid:");
}

pid_t find_tracer(pid_t tid)
{
	return status_number(tid, "\nTracerPid:");
}

bool find_is_same_memory(pid_t a, pid_t b)
{
	return syscall(SYS_kcmp, a, b, KCMP_VM, 0, 0) == 0;
}

unsigned long long find_start(pid_t pid)
{
	unsigned long long start = 0;
	char buf[1024];
	const char *rest = stat_rest(pid, pid, buf, sizeof(buf));

	if (rest)
		sscanf(rest,
		       "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
		       "%*d %llu",
		       &start);
	return start;
}

/* The flags of clone3(2) are the first member of struct clone_args, in the thread's memory. */
static uint64_t flags_in_memory(pid_t pid, uint64_t address)
{
	uint64_t flags = 0;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (pread(fd, &flags, sizeof(flags), (off_t)address) != (ssize_t)sizeof(flags))
		flags = 0;
	close(fd);
	return flags;
}

/*
 * /proc/PID/task/TID/syscall shows the number and the arguments of a thread's system call. A thread
 * in fork(2) is different: it may be copying page tables at this moment.
 */
bool find_is_in_vfork(pid_t pid, pid_t tid)
{
	struct text t = { .data = NULL };
	unsigned long long arguments[2] = { 0, 0 };
	char file[64];
	uint64_t flags = 0;
	long number = -1;

	snprintf(file, sizeof(file), "task/%d/syscall", tid);
	if (text_read(&t, pid, file) == 0)
		sscanf(t.data, "%ld %llx %llx", &number, &arguments[0], &arguments[1]);
	text_free(&t);
#ifdef SYS_vfork
	if (number == SYS_vfork)
		return true;
#endif
#ifdef __s390__
	arguments[0] = number == SYS_clone ? arguments[1] : arguments[0];
#endif
	if (number == SYS_clone)
		flags = arguments[0];
	else if (number == SYS_clone3)
		flags = flags_in_memory(pid, arguments[0]);
	return flags & CLONE_VFORK;
}

const char *find_name(pid_t pid, char *buf, size_t size)
{
	struct text t = { .data = NULL };

	snprintf(buf, size, "?");
	if (text_read(&t, pid, "comm") == 0)
		snprintf(buf, size, "%.*s", (int)strcspn(t.data, "\n"), t.data);
	text_free(&t);
	return buf;
}
