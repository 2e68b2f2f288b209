// SPDX-License-Identifier: MIT
/* Explains why a process ended. */
#include "base/process/ended.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { WAIT_MS = 100 };

static const char *small_stack(void)
{
	enum { USUAL = 8 << 20 };
	static char text[64];
	struct rlimit l;

	if (getrlimit(RLIMIT_STACK, &l) < 0 || l.rlim_cur >= USUAL)
		return "";
	snprintf(text, sizeof(text), ": RLIMIT_STACK is %llu kB: raise it (ulimit -s)",
		 (unsigned long long)l.rlim_cur / 1024);
	return text;
}

/* The kernel also sends SIGKILL at the hard limits of CPU time. */
static const char *killers(void)
{
	struct rlimit l, slice;

	if (getrlimit(RLIMIT_CPU, &l) == 0 && l.rlim_max != RLIM_INFINITY)
		return ": by RLIMIT_CPU (ulimit -Ht), the OOM killer, or another process";
	if (getrlimit(RLIMIT_RTTIME, &slice) == 0 && slice.rlim_max != RLIM_INFINITY)
		return ": by RLIMIT_RTTIME (ulimit -HR), the OOM killer, or another process";
	return ": by the OOM killer, or by another process";
}

static const char *likely_cause(int sig)
{
	switch (sig) {
	case SIGSEGV:
		return small_stack();
	case SIGKILL:
		return killers();
	case SIGSYS:
		return ": by a filter of system calls (seccomp)";
	case SIGBUS:
		return ": is there room on the file system of $TMPDIR and on /dev/shm?";
	case SIGXCPU:
		return ": RLIMIT_CPU (ulimit -t)";
	default:
		return "";
	}
}

const char *ended_by(int sig, char *text, size_t size)
{
	snprintf(text, size, "killed by signal %d (%s)%s", sig, strsignal(sig), likely_cause(sig));
	return text;
}

/* Returns the process's wait status; -1 if it is still running, 0 if it is gone. */
static int status_of(pid_t pid)
{
	char path[32], line[1024];
	const char *name_end, *last;
	int status = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (!fgets(line, sizeof(line), f))
		status = 0;
	else if ((name_end = strrchr(line, ')')) && strchr("ZX", name_end[2]) &&
		 (last = strrchr(line, ' ')))
		status = (int)strtol(last, NULL, 10);
	fclose(f);
	return status;
}

int ended_signal(pid_t pid)
{
	int status = -1;

	for (int i = 0; i < WAIT_MS && (status = status_of(pid)) < 0; i++)
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
	return status > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
