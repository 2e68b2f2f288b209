// SPDX-License-Identifier: MIT
/* Counts the page cache of open files, and of files below a folder. */
#ifndef RSSCK_MACHINE_WALK_H
#define RSSCK_MACHINE_WALK_H

#include "holders.h"

/* Counts a file, unless it is already counted. `more` is printed after its path. */
void walk_file(struct memory_holders *h, int fd, const char *path, const char *more,
	       int64_t page_kb);

/*
 * Counts all regular files below the folder that are on the folder's file system. It does not read
 * the files, but opening them makes the cache of inodes larger.
 */
void walk_files(struct memory_holders *h, const char *folder, int64_t page_kb);

/* Adds the sums of all counted files, by file system. */
void walk_file_systems(struct memory_holders *h, int64_t page_kb);

#endif
