// SPDX-License-Identifier: MIT
/*
 * Reads a whole file into a buffer that grows. With 4 KiB pages a seq_file of n bytes takes about n
 * / 4096 reads, because seq_read_iter() returns at most its own buffer of one page.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEXT_FIRST = 64 * 1024, TEXT_ROOM = 8 * 1024 };

static int text_reserve(struct text *t)
{
	size_t capacity = t->capacity ? t->capacity * 2 : TEXT_FIRST;
	char *data;

	if (t->capacity - t->len >= TEXT_ROOM)
		return 0;
	data = realloc(t->data, capacity);
	if (!data)
		return -ENOMEM;
	t->data = data;
	t->capacity = capacity;
	return 0;
}

static int text_fill(struct text *t, int fd)
{
	for (;;) {
		int error = text_reserve(t);
		ssize_t n;

		if (error)
			return error;
		n = read(fd, t->data + t->len, t->capacity - t->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		t->len += (size_t)n;
	}
	t->data[t->len] = '\0';
	return 0;
}

/*
 * A missing file means that the process has ended, or that the kernel has no such file; /proc/PID
 * shows which.
 */
static int open_error(pid_t pid, int error)
{
	char path[32];

	if (pid == 0 || error != ENOENT)
		return -error;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	return access(path, F_OK) ? -ESRCH : -ENOENT;
}

static int text_open(int folder, const char *path)
{
	int fd;

	do
		fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static int text_take(struct text *t, int fd)
{
	int error = text_fill(t, fd);

	close(fd);
	return error;
}

int text_read(struct text *t, pid_t pid, const char *file)
{
	char path[PATH_MAX];
	int fd;

	t->len = 0;
	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fd = text_open(AT_FDCWD, pid ? path : file);
	return fd < 0 ? open_error(pid, errno) : text_take(t, fd);
}

int text_read_at(struct text *t, int folder, const char *file)
{
	int fd = text_open(folder, file);

	t->len = 0;
	return fd < 0 ? -errno : text_take(t, fd);
}

void text_free(struct text *t)
{
	free(t->data);
	*t = (struct text) { .data = NULL };
}
