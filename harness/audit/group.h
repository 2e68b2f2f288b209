// SPDX-License-Identifier: MIT
/* A cgroup (v2) of the program's own: who pays for its memory. */
#ifndef RSSCK_AUDIT_GROUP_H
#define RSSCK_AUDIT_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct group {
	bool asked;
	char home[400], path[440]; /* our own and the program's; path "": there is none, see why */
	char name[440];            /* as the line of /proc/PID/cgroup has it: "0::/rssck.4711\n" */
	char why[240];
	uint64_t inode;
	int charged_to; /* /proc/kpagecgroup, or -1 */
};

/*
 * Where it will be: below the one that we are in. Then make it, if it has the memory controller
 * there: what others have set stays. Otherwise g->why says what is missing.
 */
void group_find(struct group *g);
void group_make(struct group *g);

/* Have a process in it. Where that cannot be done it is removed, and g->why says why. */
void group_enter(struct group *g, pid_t pid);

/* True if it is in this very cgroup. */
bool group_has(const struct group *g, pid_t pid);

/* True if it has no process, or no cgroup below it. */
bool group_is_empty(const struct group *g);
bool group_has_none_below(const struct group *g);

/* A whole file of it ("memory.current"), or the number behind a field; -1: it has no such. */
int64_t group_number(const struct group *g, const char *file, const char *field);

/* Have its processes back where they would be without it, and remove it. Safe where there is none.
 */
void group_remove(const struct group *g);

#endif
