// SPDX-License-Identifier: MIT
/* Lists /proc, and compares the links in /proc/PID/ns with rssck's own. */
#include "list.h"
#include "base/memory.h"
#include "base/number.h"
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
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

	*pids = NULL;
	*nr = 0;
	if (!d)
		return -errno;
	while ((e = readdir(d))) {
		uint64_t pid;

		if (!number_whole(e->d_name, INT32_MAX, &pid) || !pid)
			continue;
		*pids = memory_one_more(*pids, *nr, sizeof(**pids), "the list of processes");
		(*pids)[(*nr)++] = (pid_t)pid;
	}
	closedir(d);
	return 0;
}

static const char *const kinds[] = { "pid", "mnt" };

enum { IN_PID, IN_MOUNT, KINDS = sizeof(kinds) / sizeof(*kinds), LINK_SIZE = 64 };

/* rssck's own namespaces do not change, so these links are read only once. */
static char ours[KINDS][LINK_SIZE];

/* Reads a link such as "pid:[4026531836]"; "" if it cannot be read. */
static void read_link(char link[LINK_SIZE], const char *of, int kind)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%s/ns/%s", of, kinds[kind]);
	n = readlink(path, link, LINK_SIZE - 1);
	link[n > 0 ? n : 0] = '\0';
}

static void read_ours(void)
{
	for (int i = 0; i < KINDS; i++)
		read_link(ours[i], "self", i);
}

static bool is_other(pid_t pid, int kind)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char number[16], its[LINK_SIZE];

	pthread_once(&once, read_ours);
	snprintf(number, sizeof(number), "%d", (int)pid);
	read_link(its, number, kind);
	return its[0] && ours[kind][0] && strcmp(its, ours[kind]) != 0;
}

/* Returns the process's PID in its own PID namespace (the last number of NSpid); 0 if unknown. */
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
	bool elsewhere = is_other(pid, IN_PID);

	buf[0] = '\0';
	if (elsewhere && number)
		snprintf(buf, size, "in another PID namespace, PID %ld there", number);
	else if (elsewhere)
		snprintf(buf, size, "in another PID namespace");
	if (is_other(pid, IN_MOUNT))
		snprintf(buf + strlen(buf), size - strlen(buf), "%sin another mount namespace",
			 buf[0] ? "; " : "");
	return buf;
}
