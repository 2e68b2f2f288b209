// SPDX-License-Identifier: MIT
/*
 * Opens files of the kernel, and replaces one line by its earlier value. Everything is compiled
 * with 64-bit offsets, so the wrapped functions are open64() and so on.
 */
#include "still.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_open64(const char *path, int flags, ...);
int __real_openat64(int folder, const char *path, int flags, ...);
FILE *__real_fopen64(const char *path, const char *mode);

static struct {
	char path[64], key[64], value[32];
} still;

static bool is_still(const char *path, int flags)
{
	const char *s = getenv(STILL_LINE);
	size_t len, end = strlen(path);

	if (!s || (flags & O_ACCMODE) != O_RDONLY ||
	    sscanf(s, "%63s %63s %31s", still.path, still.key, still.value) != 3)
		return false;
	len = strlen(still.path);
	return end > len && path[end - len - 1] == '/' && !strcmp(path + end - len, still.path);
}

static void copy_line(int to, const char *line, size_t len)
{
	size_t key = strlen(still.key);
	char c = len > key ? line[key] : '\0';
	const char *unit = len > 3 && !strncmp(line + len - 3, "kB\n", 3) ? " kB\n" : "\n";

	if (!strncmp(line, still.key, key) && (c == ' ' || c == ':'))
		dprintf(to, "%s%s %s%s", still.key, c == ':' ? ":" : "", still.value, unit);
	else if (write(to, line, len) < 0)
		perror("still");
}

static int copy_of(int fd)
{
	static __thread char text[128 << 10];
	int to = memfd_create("still", MFD_CLOEXEC);
	size_t have = 0;
	ssize_t n;

	while ((n = read(fd, text + have, sizeof(text) - 1 - have)) > 0)
		have += (size_t)n;
	text[have] = '\0';
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");

		len += line[len] == '\n';
		copy_line(to, line, len);
		line += len;
	}
	close(fd);
	lseek(to, 0, SEEK_SET);
	return to;
}

/* Returns the mode, which is an argument only with O_CREAT or O_TMPFILE; 0 without. */
static mode_t mode_of(int flags, va_list args)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
}

int __wrap_open64(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;
	int fd;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	fd = __real_open64(path, flags, mode);
	return fd >= 0 && is_still(path, flags) ? copy_of(fd) : fd;
}

int __wrap_openat64(int folder, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;
	int fd;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	fd = __real_openat64(folder, path, flags, mode);
	return fd >= 0 && is_still(path, flags) ? copy_of(fd) : fd;
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
	int fd;

	if (mode[0] != 'r' || strchr(mode, '+') || !is_still(path, O_RDONLY))
		return __real_fopen64(path, mode);
	fd = __wrap_open64(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? NULL : fdopen(fd, "r");
}
