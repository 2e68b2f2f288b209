// SPDX-License-Identifier: MIT
/*
 * Reads the limits on the number of processes and threads: pids.max of this process's cgroup and of
 * its parents, and kernel.threads-max.
 */
#include "base/kernel_file.h"
#include "limits.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool read_number(const char *path, const char *format, long long *number)
{
	FILE *f = fopen(path, "re");
	bool found = f && fscanf(f, format, number) == 1;

	if (f)
		fclose(f);
	return found;
}

static bool is_full(const char *root, const char *name, long long *most)
{
	char limit[512], current[512];
	long long tasks;

	snprintf(limit, sizeof(limit), "%s%s/pids.max", root, name);
	snprintf(current, sizeof(current), "%s%s/pids.current", root, name);
	return read_number(limit, "%lld", most) && read_number(current, "%lld", &tasks) &&
	       tasks >= *most;
}

/* Names the innermost full cgroup; the root cgroup has no limit. */
static void say_cgroup(const char *root, char *name, char *text, size_t size)
{
	long long most;
	char *slash;

	while (!is_full(root, name, &most)) {
		slash = strrchr(name, '/');
		if (!slash || slash == name)
			return;
		*slash = '\0';
	}
	snprintf(text, size, "pids.max of cgroup %.80s is %lld", name, most);
}

static void say_cgroups(char *text, size_t size)
{
	char name[384];

	if (kernel_cgroup("pids", name, sizeof(name)))
		say_cgroup("/sys/fs/cgroup/pids", name, text, size);
	if (!*text && kernel_cgroup(NULL, name, sizeof(name)))
		say_cgroup("/sys/fs/cgroup", name, text, size);
}

const char *tasks_full(char *text, size_t size)
{
	long long most, tasks;

	*text = '\0';
	say_cgroups(text, size);
	/* In "0.20 0.18 0.12 1/80 11206", 80 is the number of tasks. */
	if (!*text && read_number("/proc/sys/kernel/threads-max", "%lld", &most) &&
	    read_number("/proc/loadavg", "%*s %*s %*s %*d/%lld", &tasks) && tasks >= most)
		snprintf(text, size, "kernel.threads-max is %lld", most);
	return text;
}
