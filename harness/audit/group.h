// SPDX-License-Identifier: MIT
/* A cgroup (v2) for the program, to which its memory is charged. */
#ifndef RSSCK_AUDIT_GROUP_H
#define RSSCK_AUDIT_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct group {
	bool asked;
	char home[400], path[440]; /* paths of our own cgroup and of the program's; the latter is ""
				      if the program has none, see `why` */
	char name[440];            /* the cgroup's line in /proc/PID/cgroup: "0::/rssck.4711\n" */
	char why[240];
	uint64_t inode;
	int charged_to; /* descriptor of /proc/kpagecgroup, or -1 */
};

/*
 * group_find() chooses the path, below this process's own cgroup. group_make() creates the cgroup
 * if the memory controller is available there and /proc/kpagecgroup can be opened (by root). It
 * changes no existing setting. On failure g->why names what is missing.
 */
void group_find(struct group *g);
void group_make(struct group *g);

/*
 * Moves a process into the cgroup. On failure the cgroup is removed, and g->why names the reason.
 */
void group_enter(struct group *g, pid_t pid);

/* True if the process is in exactly this cgroup. */
bool group_has(const struct group *g, pid_t pid);

/*
 * group_is_empty() is true if no process is in the cgroup or below it, group_has_none_below() if it
 * has no child cgroups.
 */
bool group_is_empty(const struct group *g);
bool group_has_none_below(const struct group *g);

/*
 * Returns the number in one of the cgroup's files ("memory.current"), or of a field in the file; -1
 * if there is none.
 */
int64_t group_number(const struct group *g, const char *file, const char *field);

/*
 * Moves the cgroup's processes back to our own cgroup, and removes it. Does nothing if there is no
 * cgroup.
 */
void group_remove(const struct group *g);

#endif
