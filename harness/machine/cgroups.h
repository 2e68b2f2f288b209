// SPDX-License-Identifier: MIT
/* Finds the cgroups that count memory: v2, or the memory controller of v1. */
#ifndef RSSCK_MACHINE_CGROUPS_H
#define RSSCK_MACHINE_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the mount whose cgroups count memory. False if there is none. */
bool cgroups_mount(char *folder, size_t size, bool *v1);

/*
 * The path, below the mount, of the cgroup with that inode: "/" for the root; "" if there is none.
 */
void cgroups_path(uint64_t inode, char *path, size_t size);

/*
 * Calls found() for a cgroup and all below it. Stops at the first result that is not 0 and
 * returns it.
 */
int cgroups_walk(const char *folder, int (*found)(const char *folder, uint64_t inode, void *arg),
		 void *arg);

#endif
