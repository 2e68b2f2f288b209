// SPDX-License-Identifier: MIT
/* Measures how much of an open file is in the page cache. */
#ifndef RSSCK_MACHINE_CACHED_H
#define RSSCK_MACHINE_CACHED_H

#include <stddef.h>
#include <stdint.h>

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
