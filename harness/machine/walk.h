// SPDX-License-Identifier: MIT
/* The page cache of files: open ones, and those below a folder. */
#ifndef RSSCK_MACHINE_WALK_H
#define RSSCK_MACHINE_WALK_H

#include "holders.h"

/* Counts a file, once. `more` is printed after its path. */
void walk_file(struct memory_holders *h, int fd, const char *path, const char *more,
	       int64_t page_kb);

/*
 * All regular files below the folder that are on its file system. Opening them reads their inodes:
 * it makes the caches of these larger, but reads no file.
 */
void walk_files(struct memory_holders *h, const char *folder, int64_t page_kb);

/* Sums of all counted files, by file system. */
void walk_file_systems(struct memory_holders *h, int64_t page_kb);

#endif
