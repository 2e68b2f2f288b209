// SPDX-License-Identifier: MIT
/* Opens regular files only. */
#include "regular.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *what_it_is(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "it is a directory";
	case S_IFIFO:
		return "it is a pipe, not a regular file";
	case S_IFSOCK:
		return "it is a socket, not a regular file";
	default:
		return "it is a device, not a regular file";
	}
}

int regular_open(const char *path, off_t *length, const char **why)
{
	struct stat st;
	int fd;

	/* Opening a device may have effects, and a socket cannot be opened. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		*why = what_it_is(st.st_mode);
		return -1;
	}
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
		*length = st.st_size;
		return fd;
	}
	*why = fd < 0 ? strerror(errno) : what_it_is(st.st_mode);
	if (fd >= 0)
		close(fd);
	return -1;
}
