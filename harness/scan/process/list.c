// SPDX-License-Identifier: MIT
/* Lists /proc, and compares the links in /proc/PID/ns with ours. */
#include "list.h"
#include "base/number.h"
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int processes_list(pid_t **pids, size_t *nr)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	size_t room = 0;

	*pids = NULL;
	*nr = 0;
	if (!d)
		return -errno;
	while ((e = readdir(d))) {
		uint64_t pid;

		if (!number_whole(e->d_name, INT32_MAX, &pid) || !pid)
			continue;
		if (*nr == room) {
			pid_t *more = realloc(*pids,
					      (room = room ? 2 * room : 1024) * sizeof(*more));

			if (!more) {
				free(*pids);
				closedir(d);
				return -ENOMEM;
			}
			*pids = more;
		}
		(*pids)[(*nr)++] = (pid_t)pid;
	}
	closedir(d);
	return 0;
}

/* True if both links can be read, and differ. */
static bool is_other(pid_t pid, const char *kind)
{
	char path[64], ours[64], its[64];
	ssize_t a, b;

	snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	a = readlink(path, ours, sizeof(ours));
	snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid, kind);
	b = readlink(path, its, sizeof(its));
	return a > 0 && b > 0 && (a != b || memcmp(ours, its, (size_t)a));
}

/* Its number where it lives: the last of NSpid. */
static long own_number(const char *status)
{
	const char *line = strstr(status, "\nNSpid:"), *last = NULL;

	if (!line)
		return 0;
	for (const char *p = line + 7; *p && *p != '\n'; p++)
		if (*p == '\t')
			last = p + 1;
	return last ? strtol(last, NULL, 10) : 0;
}

const char *namespaces_words(pid_t pid, const char *status, char *buf, size_t size)
{
	long number = own_number(status);

	buf[0] = '\0';
	if (is_other(pid, "pid") && number)
		snprintf(buf, size, "in another PID namespace, %ld there", number);
	else if (is_other(pid, "pid"))
		snprintf(buf, size, "in another PID namespace");
	if (is_other(pid, "mnt"))
		snprintf(buf + strlen(buf), size - strlen(buf), "%sin another mount namespace",
			 buf[0] ? "; " : "");
	return buf;
}
