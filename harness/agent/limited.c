// SPDX-License-Identifier: MIT
/*
 * A process of the workload's cgroup that may be killed by its limit: what it did last, and what
 * was read just before.
 */
#include "agent.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Shared with the process: what it saw last. */
static struct limited *seen;

bool workload_cgroup_try_to_set(struct workload *w, const char *file, int64_t pages)
{
	char path[128], text[32] = "max";

	snprintf(path, sizeof(path), "%s/%s", w->private->cgroup, file);
	if (pages >= 0)
		snprintf(text, sizeof(text), "%lld", (long long)pages * (long long)w->page_size);
	return workload_try_to_set(path, text);
}

void workload_cgroup_set(struct workload *w, const char *file, int64_t pages)
{
	if (!workload_cgroup_try_to_set(w, file, pages))
		workload_skip(w, "%s of a cgroup: %s", file, strerror(errno));
}

void workload_limited_look(struct workload *w)
{
	struct limited now = {
		.current = workload_cgroup_pages(w, "memory.current", NULL),
		.inactive_file = workload_cgroup_pages(w, "memory.stat", "inactive_file"),
		.active_file = workload_cgroup_pages(w, "memory.stat", "active_file"),
		.anon = workload_cgroup_pages(w, "memory.stat", "anon"),
		.file = workload_cgroup_pages(w, "memory.stat", "file"),
		.rss = workload_status_pages(w, "VmRSS"),
	};

	*seen = now;
}

static void be_first_to_go(void)
{
	if (!workload_try_to_set("/proc/self/oom_score_adj", "1000"))
		_exit(2);
}

struct limited workload_limited(struct workload *w, void (*act)(struct workload *w))
{
	struct limited last;
	int status;
	pid_t pid;

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		workload_die(w, "mmap: %s", strerror(errno));
	memset(seen, 0, sizeof(*seen));
	pid = fork();
	if (pid == 0) {
		be_first_to_go();
		act(w);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		workload_die(w, "fork: %s", strerror(errno));
	last = *seen;
	munmap(seen, sizeof(*seen));
	if (WIFEXITED(status) && WEXITSTATUS(status))
		workload_fail(w, "a process under a limit ended with status %d",
			      WEXITSTATUS(status));
	last.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	return last;
}
