// SPDX-License-Identifier: MIT
/* Tests whether each thread of a process sleeps or has ended. */
#include "still.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

/*
 * Returns the third field of stat, or '\0' if there is none. The field before it is the name, which
 * may contain anything.
 */
static char state_of(const struct text *t)
{
	const char *end = t->len ? memrchr(t->data, ')', t->len) : NULL;

	return end && end + 2 < t->data + t->len ? end[2] : '\0';
}

static bool task_runs(int folder, const char *tid, struct text *t)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/stat", tid);
	return text_read_at(t, folder, path) == 0 && state_of(t) == 'R';
}

bool still_runs(pid_t pid, struct text *t, char *who, size_t size)
{
	char path[32];
	const struct dirent *task;
	bool runs = false;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	while (tasks && !runs && (task = readdir(tasks))) {
		if (task->d_name[0] == '.')
			continue;
		runs = task_runs(dirfd(tasks), task->d_name, t);
		if (runs)
			snprintf(who, size, "its thread %.20s ran", task->d_name);
	}
	if (tasks)
		closedir(tasks);
	return runs;
}
