// SPDX-License-Identifier: MIT
/* Explains and raises resource limits (getrlimit(2)). */
#include "limits.h"
#include "base/kernel_file.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* The limits that can cause an errno, and how to raise each. */
static const struct limit {
	int error, resource;
	const char *name, *raise;
	unsigned unit; /* bytes in one unit of ulimit; 1 if the limit is a plain number */
} limits[] = {
	{ EMFILE, RLIMIT_NOFILE, "RLIMIT_NOFILE", "ulimit -n", 1 },
	{ EAGAIN, RLIMIT_NPROC, "RLIMIT_NPROC", "ulimit -u", 1 },
	{ ENOMEM, RLIMIT_AS, "RLIMIT_AS", "ulimit -v", 1024 },
	{ ENOMEM, RLIMIT_DATA, "RLIMIT_DATA", "ulimit -d", 1024 },
	{ EFBIG, RLIMIT_FSIZE, "RLIMIT_FSIZE", "ulimit -f", 1024 },
};

/* mremap(2) needs the most free mappings: it fails if fewer than this are left. */
enum { MAPPINGS_FREE = 4 };

/* True if this process has nearly as many mappings as vm.max_map_count allows. */
static bool mappings_full(char *text, size_t size)
{
	static const char most[] = "/proc/sys/vm/max_map_count";
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	int64_t allowed = kernel_number(most, NULL, INT64_MAX), lines = 0;
	char data[4096];
	ssize_t n;

	while (fd >= 0 && (n = read(fd, data, sizeof(data))) > 0)
		for (ssize_t i = 0; i < n; i++)
			lines += data[i] == '\n';
	if (fd >= 0)
		close(fd);
	if (lines + MAPPINGS_FREE <= allowed)
		return false;
	snprintf(text, size, "vm.max_map_count is %" PRId64 ": raise it", allowed);
	return true;
}

const char *limit_behind(int error, char *text, size_t size)
{
	size_t len = 0;

	*text = '\0';
	/*
	 * A limit that is certainly reached is reported instead of limits that may have been
	 * reached.
	 */
	if (error == EAGAIN && *tasks_full(text, size))
		return text;
	if (error == ENOMEM && mappings_full(text, size))
		return text;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits) && len < size; i++) {
		const struct limit *l = &limits[i];
		struct rlimit now;

		if (l->error != error || getrlimit(l->resource, &now) < 0 ||
		    now.rlim_cur == RLIM_INFINITY)
			continue;
		len += (size_t)snprintf(text + len, size - len, "%s%s is %llu%s: raise it (%s)",
					len ? "; " : "", l->name,
					(unsigned long long)now.rlim_cur / l->unit,
					l->unit == 1 ? "" : " kB", l->raise);
	}
	return text;
}

/* With a higher limit, programs that close every possible descriptor are slow. */
enum { DESCRIPTORS = 4096, STACK = 8 << 20 };

void limits_raise(void)
{
	static const struct {
		int resource;
		rlim_t enough;
	} raised[] = {
		{ RLIMIT_NOFILE, DESCRIPTORS },    { RLIMIT_NPROC, RLIM_INFINITY },
		{ RLIMIT_AS, RLIM_INFINITY },      { RLIMIT_DATA, RLIM_INFINITY },
		{ RLIMIT_FSIZE, RLIM_INFINITY },   { RLIMIT_CPU, RLIM_INFINITY },
		{ RLIMIT_MEMLOCK, RLIM_INFINITY }, { RLIMIT_STACK, STACK },
	};

	for (size_t i = 0; i < sizeof(raised) / sizeof(*raised); i++) {
		int resource = raised[i].resource;
		struct rlimit l;

		if (getrlimit(resource, &l) < 0 || l.rlim_cur >= raised[i].enough)
			continue;
		l.rlim_cur = l.rlim_max < raised[i].enough ? l.rlim_max : raised[i].enough;
		setrlimit(resource, &l);
	}
}
