// SPDX-License-Identifier: MIT
/* What the kernel's log says of the last kill for want of memory in a cgroup. */
#ifndef RSSCK_MACHINE_OOM_H
#define RSSCK_MACHINE_OOM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Lines of memory.stat that the log has. */
enum oom_line {
	OOM_ANON,
	OOM_FILE,
	OOM_SHMEM,
	OOM_DIRTY,
	OOM_WRITEBACK,
	OOM_UNEVICTABLE,
	OOM_KERNEL, /* all of it but sockets; by a sum of lines before 5.18 */
	OOM_SLAB,
	OOM_PAGETABLES,
	OOM_STACKS,
	OOM_SOCK,
	OOM_PERCPU,
	OOM_LINES,
};

struct oom {
	char cgroup[200];  /* whose limit it was */
	char of_task[200]; /* the cgroup of who was killed */
	char task[32];
	pid_t pid;
	int64_t usage, limit, swap, swap_limit;          /* kB; limits -1: none */
	int64_t stat[OOM_LINES];                         /* kB; -1: the log has no such line */
	int64_t anon_rss, file_rss, shmem_rss, adjusted; /* of the task, kB; oom_score_adj */
};

/* The last kill in the cgroup, or in one below it. False if the log has none. */
bool oom_find(const char *log, const char *cgroup, struct oom *o);

/* In so many columns. */
void oom_text(const struct oom *o, FILE *out, unsigned width);
json_t *oom_json(const struct oom *o);

#endif
