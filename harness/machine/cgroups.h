// SPDX-License-Identifier: MIT
/* Finds the cgroups that have the memory controller, of v2 or of v1. */
#ifndef RSSCK_MACHINE_CGROUPS_H
#define RSSCK_MACHINE_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Finds the mount point of the cgroups that have the memory controller. Sets *v1 if they are of v1.
 * Returns false if there is none.
 */
bool cgroups_mount(char *folder, size_t size, bool *v1);

/*
 * Writes the path of the cgroup with this inode, relative to the mount point: "/" for the root, ""
 * if there is no such cgroup.
 */
void cgroups_path(uint64_t inode, char *path, size_t size);

/*
 * Calls found() for a cgroup and for all cgroups below it. Stops when found() returns a number
 * other than 0, and returns this number.
 */
int cgroups_walk(const char *folder, int (*found)(const char *folder, uint64_t inode, void *arg),
		 void *arg);

#endif
