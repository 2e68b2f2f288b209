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
	char home[400], path[440]; /* our own path and the program's; path "": there is none, see
				    * why */
	char name[440];            /* the line of /proc/PID/cgroup: "0::/rssck.4711\n" */
	char why[240];
	uint64_t inode;
	int charged_to; /* /proc/kpagecgroup, or -1 */
};

/*
 * group_find() determines where the cgroup will be: below this process's own. group_make() creates
 * it if the memory controller is available there; it changes no existing setting. On failure g->why
 * says what is missing.
 */
void group_find(struct group *g);
void group_make(struct group *g);

/* Moves a process into the cgroup. If that fails, the cgroup is removed, and g->why says why. */
void group_enter(struct group *g, pid_t pid);

/* True if the process is in exactly this cgroup. */
bool group_has(const struct group *g, pid_t pid);

/*
 * group_is_empty(): true if no process is in it. group_has_none_below(): true if it has no
 * child cgroups.
 */
bool group_is_empty(const struct group *g);
bool group_has_none_below(const struct group *g);

/* The value of one of its files ("memory.current"), or of a field of the file; -1: it has none. */
int64_t group_number(const struct group *g, const char *file, const char *field);

/*
 * Moves its processes back to the original cgroup, and removes it. Does nothing if there is none.
 */
void group_remove(const struct group *g);

#endif
