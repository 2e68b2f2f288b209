// SPDX-License-Identifier: MIT
/* Measures how much of an open file is in the page cache. */
#include "walk.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SYS_cachestat
enum { SYS_cachestat = 451 };
#endif

/* struct cachestat_range of linux/mman.h (since Linux 6.5). */
struct range {
	uint64_t from, length;
};
struct cached {
	uint64_t pages, dirty, writeback, evicted, recently_evicted;
};

/*
 * Calls cachestat(2) only for files on block devices, because a network server that does not
 * respond would block rssck. Files of tmpfs, network file systems, btrfs and overlayfs have a
 * device number with major 0.
 */
int64_t cached_pages(int fd, uint64_t *id)
{
	struct range all = { 0, 0 };
	struct cached c = { 0 };
	struct statx s;

	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &s) ||
	    !S_ISREG(s.stx_mode) || !s.stx_dev_major || syscall(SYS_cachestat, fd, &all, &c, 0))
		return -1;
	*id = s.stx_ino ^ (uint64_t)s.stx_dev_major << 52 ^ (uint64_t)s.stx_dev_minor << 44;
	return (int64_t)c.pages;
}

/* Keeps the end of a long path, because the end contains the name of the file. */
void cached_name(char *to, size_t size, const char *path, const char *more)
{
	static const char cut[] = "...";
	size_t room = size - sizeof(cut) - strlen(more), n = strlen(path);

	if (n > room)
		snprintf(to, size, "%s%s%s", cut, path + n - room, more);
	else
		snprintf(to, size, "%s%s", path, more);
}
