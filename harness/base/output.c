// SPDX-License-Identifier: MIT
/*
 * Writes a result file without a name, and links it when it is complete. If the file system cannot
 * do that, writes a temporary file in the same folder and renames it.
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
	return failed(path, "name a file in a folder that exists and that you may write to", why,
		      size);
}

int write_all(int fd, const char *text, size_t length)
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
	result = write_all(fd, text, length);
	return fd == STDOUT_FILENO ? result : close(fd) || result ? -1 : 0;
}

static int whole_write(int fd, const char *text, size_t length)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0666 & ~mask) || write_all(fd, text, length) || fsync(fd) ? -1 : 0;
}

static int rename_or_unlink(const char *beside, const char *path)
{
	int error;

	if (!rename(beside, path))
		return 0;
	error = errno;
	unlink(beside);
	errno = error;
	return -1;
}

/*
 * link(2) does not replace a file. If `path` exists, link the new file under a temporary name and
 * rename it.
 */
static int give_name(int fd, const char *path)
{
	char self[32], beside[PATH_MAX];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (!linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW))
		return 0;
	if (errno != EEXIST)
		return -1;
	snprintf(beside, sizeof(beside), "%s.%d", path, (int)getpid());
	if (linkat(AT_FDCWD, self, AT_FDCWD, beside, AT_SYMLINK_FOLLOW))
		return -1;
	return rename_or_unlink(beside, path);
}

/* With O_TMPFILE no file is left behind if rssck is killed. Some file systems do not support it. */
static int nameless_write(const char *path, const char *text, size_t length)
{
	char folder[PATH_MAX];
	int fd, result;

	snprintf(folder, sizeof(folder), "%s", path);
	fd = open(dirname(folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	result = whole_write(fd, text, length) || give_name(fd, path);
	/*
	 * A full disk may be reported only by close(). The caller then tries again with a named
	 * file.
	 */
	return close(fd) || result ? -1 : 0;
}

static int named_write(const char *path, const char *text, size_t length)
{
	char beside[PATH_MAX];
	int fd, failed, error;

	snprintf(beside, sizeof(beside), "%s.XXXXXX", path);
	fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0)
		return -1;
	failed = whole_write(fd, text, length);
	error = errno;
	if (close(fd) && !failed) {
		failed = -1;
		error = errno;
	}
	if (!failed)
		return rename_or_unlink(beside, path);
	unlink(beside);
	errno = error;
	return -1;
}

static int file_write(const char *path, const char *text, size_t length)
{
	return nameless_write(path, text, length) ? named_write(path, text, length) : 0;
}

int output_write(const char *path, const char *text, size_t length, char *why, size_t size)
{
	int result = output_is_special(path) ? special_write(path, text, length)
					     : file_write(path, text, length);

	return result ? failed(path, "name another file, or make room if the file system is full",
			       why, size)
		      : 0;
}
