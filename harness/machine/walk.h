// SPDX-License-Identifier: MIT
/* What files have of the page cache: open ones, and those below a folder. */
#ifndef RSSCK_MACHINE_WALK_H
#define RSSCK_MACHINE_WALK_H

#include "holders.h"

/* Count a file, once. `more`: what is said behind its path. */
void walk_file(struct memory_holders *h, int fd, const char *path, const char *more,
	       int64_t page_kb);

/*
 * All regular files below the folder that are on its file system. Opening them reads their inodes:
 * it makes the caches of these larger, but reads no file.
 */
void walk_files(struct memory_holders *h, const char *folder, int64_t page_kb);

/* Sums of all that were counted, by file system. */
void walk_file_systems(struct memory_holders *h, int64_t page_kb);

#endif
