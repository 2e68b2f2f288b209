// SPDX-License-Identifier: MIT
/*
 * Writes the result file beside its place and renames it.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const char *path, const char *remedy, char *why, size_t size)
{
	snprintf(why, size, "%s: cannot be written: %s; %s", path, strerror(errno), remedy);
	return -1;
}

bool output_is_special(const char *path)
{
	struct stat st;

	return !strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode));
}

int output_check(const char *path, char *why, size_t size)
{
	char folder[PATH_MAX];
	struct stat st;

	if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return failed(path, "name a file in it", why, size);
	}
	if (output_is_special(path))
		return 0;
	snprintf(folder, sizeof(folder), "%s", path);
	if (!access(dirname(folder), W_OK | X_OK))
		return 0;
	return failed(path, "make its folder, or name another --output", why, size);
}

static int text_write(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t written = write(fd, text, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		text += written;
		length -= written;
	}
	return 0;
}

static int special_write(const char *path, const char *text, size_t length)
{
	int result, fd = strcmp(path, "-") ? open(path, O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;

	if (fd < 0)
		return -1;
	result = text_write(fd, text, length);
	return fd == STDOUT_FILENO ? result : close(fd) || result ? -1 : 0;
}

/* A disk may be full as late as at close(). */
static int text_write_and_close(int fd, const char *text, size_t length)
{
	mode_t mask = umask(0);
	int result;

	umask(mask);
	result = fchmod(fd, 0666 & ~mask) || text_write(fd, text, length) || fsync(fd);
	return close(fd) || result ? -1 : 0;
}

static int file_write(const char *path, const char *text, size_t length)
{
	char beside[PATH_MAX];
	int fd, error;

	snprintf(beside, sizeof(beside), "%s.XXXXXX", path);
	fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (!text_write_and_close(fd, text, length) && !rename(beside, path))
		return 0;
	error = errno;
	unlink(beside);
	errno = error;
	return -1;
}

int output_write(const char *path, const char *text, size_t length, char *why, size_t size)
{
	int result = output_is_special(path) ? special_write(path, text, length)
					     : file_write(path, text, length);

	return result ? failed(path, "make room, or name another --output", why, size) : 0;
}
