// SPDX-License-Identifier: MIT
/* Measures how much of an open file is in the page cache. */
#ifndef RSSCK_MACHINE_CACHED_H
#define RSSCK_MACHINE_CACHED_H

#include <stddef.h>
#include <stdint.h>

/*
 * The number of pages of a regular file on a block device that are in the page cache, by
 * cachestat(2); sets *id to a number that identifies the file. -1: fd is not such a file,
 * access is denied, or the kernel has no cachestat(2) (before 6.5).
 */
int64_t cached_pages(int fd, uint64_t *id);

/* "/var/lib/x" followed by `more`; a long path is shortened to "...its end". */
void cached_name(char *to, size_t size, const char *path, const char *more);

#endif
