// SPDX-License-Identifier: MIT
/*
 * Runs a process in the workload's cgroup, and returns the last numbers that the process read. The
 * memory limit may kill the process.
 */
#include "agent.h"
#include "base/kernel_file.h"
#include <errno.h>
#include <rssck/panics.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Shared memory to which the process of workload_limited() writes its numbers. */
static struct limited *seen;

static bool would_panic(const char *file, int64_t pages)
{
	return pages >= 0 && !strcmp(file, "memory.max") && workload_oom_panics();
}

bool workload_cgroup_try_to_set(const struct workload *w, const char *file, int64_t pages)
{
	char text[32] = "max";

	if (would_panic(file, pages)) {
		errno = EPERM;
		return false;
	}
	if (pages >= 0)
		snprintf(text, sizeof(text), "%lld", (long long)pages * (long long)w->page_size);
	return workload_cgroup_write(w, file, text);
}

void workload_cgroup_set(struct workload *w, const char *file, int64_t pages)
{
	if (would_panic(file, pages))
		workload_skip(w, OOM_PANICS);
	if (!workload_cgroup_try_to_set(w, file, pages))
		workload_skip(w, "%s of a cgroup: %s", file, strerror(errno));
}

void workload_limited_look(struct workload *w)
{
	int64_t page = (int64_t)w->page_size;
	struct numbered of[] = { { .field = "inactive_file", .value = -page },
				 { .field = "active_file", .value = -page },
				 { .field = "anon", .value = -page },
				 { .field = "file", .value = -page } };
	struct limited now = {
		.current = workload_cgroup_pages(w, "memory.current", NULL),
		.rss = workload_status_pages(w, "VmRSS"),
	};
	char path[128];

	/* memory.stat is read only once, because each read makes the kernel sum it up. */
	snprintf(path, sizeof(path), "%s/memory.stat", w->private->cgroup);
	kernel_numbers(path, of, sizeof(of) / sizeof(*of));
	now.inactive_file = of[0].value / page;
	now.active_file = of[1].value / page;
	now.anon = of[2].value / page;
	now.file = of[3].value / page;
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

	seen = workload_try_map(sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED, -1);
	if (!seen)
		workload_die(w, "mmap: %s", strerror(errno));
	memset(seen, 0, sizeof(*seen));
	pid = fork();
	if (pid == 0) {
		be_first_to_go();
		act(w);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		workload_die(w, "fork or waitpid: %s", strerror(errno));
	last = *seen;
	munmap(seen, sizeof(*seen));
	if (WIFEXITED(status) && WEXITSTATUS(status))
		workload_fail(w, "a process under a limit ended with status %d",
			      WEXITSTATUS(status));
	last.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	return last;
}
