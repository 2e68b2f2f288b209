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

/*
 * Calls cachestat(2) for a regular file on a block device. Returns the number of its pages in the
 * page cache, and sets *id to a number that identifies the file. Returns -1 if fd is another kind
 * of file, if access is denied, or if the kernel has no cachestat(2) (before 6.5).
 */
int64_t cached_pages(int fd, uint64_t *id);

/*
 * Writes the path followed by `more`: "/var/lib/x, open". Replaces the beginning of a long path by
 * "...".
 */
void cached_name(char *to, size_t size, const char *path, const char *more);

#endif
