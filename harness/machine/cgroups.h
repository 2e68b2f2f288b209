// SPDX-License-Identifier: MIT
/* Where cgroups are that count memory: v2, or the memory controller of v1. */
#ifndef RSSCK_MACHINE_CGROUPS_H
#define RSSCK_MACHINE_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The mount whose cgroups count memory. Returns false where there is none. */
bool cgroups_mount(char *folder, size_t size, bool *v1);

/* The path below the mount of the cgroup with that inode, "/" for the root; "" where there is none.
 */
void cgroups_path(uint64_t inode, char *path, size_t size);

/* Call found() for a cgroup and all below it. Returns what it returned where that is not 0. */
int cgroups_walk(const char *folder, int (*found)(const char *folder, uint64_t inode, void *arg),
		 void *arg);

#endif
