// SPDX-License-Identifier: MIT
/* The last OOM kill in a cgroup, from the kernel log. */
#ifndef RSSCK_MACHINE_OOM_H
#define RSSCK_MACHINE_OOM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Lines of memory.stat that the kernel prints into the log. */
enum oom_line {
	OOM_ANON,
	OOM_FILE,
	OOM_SHMEM,
	OOM_DIRTY,
	OOM_WRITEBACK,
	OOM_UNEVICTABLE,
	OOM_KERNEL, /* all kernel memory except sockets; cgroup v2 has no such line before 5.18 */
	OOM_SLAB,
	OOM_PAGETABLES,
	OOM_STACKS,
	OOM_SOCK,
	OOM_PERCPU,
	OOM_LINES,
};

struct oom {
	char cgroup[200];  /* the cgroup whose limit was reached */
	char of_task[200]; /* the cgroup of the killed process */
	char task[32];
	pid_t pid;
	int64_t usage, limit, swap, swap_limit; /* in kB; a limit is -1 if there is none */
	int64_t both, both_limit; /* the sum of memory and swap in cgroup v1, in kB; otherwise -1 */
	int64_t stat[OOM_LINES];  /* in kB; -1: the log has no such line */
	int64_t anon_rss, file_rss, shmem_rss,
		adjusted; /* of the killed process, in kB; adjusted: its oom_score_adj */
};

/*
 * Finds the last OOM kill that is due to a cgroup's limit and concerns `cgroup` or a cgroup below
 * it: its limit was reached, or the killed process was in it. Returns false if the log has none.
 */
bool oom_find(const char *log, const char *cgroup, struct oom *o);

/* True if the process was killed because of the limit on the sum of memory and swap. */
bool oom_is_of_both(const struct oom *o);

/* Prints the kill, in lines of up to `width` columns. */
void oom_text(const struct oom *o, FILE *out, unsigned width);
json_t *oom_json(const struct oom *o);

#endif
