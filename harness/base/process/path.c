// SPDX-License-Identifier: MIT
/* Finds programs. */
#include "path.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_program(char *path, size_t size, const char *folder, size_t len, const char *name)
{
	const char *slash = len ? "/" : "";

	return (size_t)snprintf(path, size, "%.*s%s%s", (int)len, folder, slash, name) < size &&
	       access(path, X_OK) == 0;
}

bool path_find(const char *name, const char *folders, char *path, size_t size)
{
	const char *end;

	if (strchr(name, '/'))
		return is_program(path, size, "", 0, name);
	for (const char *p = folders ? folders : ""; *p; p = *end ? end + 1 : end) {
		end = strchrnul(p, ':');
		if (end > p && is_program(path, size, p, (size_t)(end - p), name))
			return true;
	}
	return false;
}

bool path_find_program(const char *name, char *path, size_t size)
{
	static const char sbin[] = "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin:/usr/libexec";

	return path_find(name, getenv("PATH"), path, size) || path_find(name, sbin, path, size);
}

static bool is_beside(const char *self, const char *name, char *path, size_t size)
{
	static const char *const places[] = { "", "../libexec/rssck/" };
	const char *slash = strrchr(self, '/');

	for (size_t i = 0; slash && i < sizeof(places) / sizeof(*places); i++)
		if ((size_t)snprintf(path, size, "%.*s/%s%s", (int)(slash - self), self, places[i],
				     name) < size &&
		    access(path, X_OK) == 0)
			return true;
	return false;
}

bool path_beside(const char *name, char *path, size_t size)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int error;

	snprintf(path, size, "/proc/self/exe");
	if (n < 0)
		return false;
	self[n] = '\0';
	if (is_beside(self, name, path, size) ||
	    is_beside(program_invocation_name, name, path, size))
		return true;
	error = errno;
	snprintf(path, size, "%.*s/%s", (int)(strrchr(self, '/') - self), self, name);
	errno = error;
	return false;
}
