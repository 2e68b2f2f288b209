// SPDX-License-Identifier: MIT
/* Reads and sets files of /proc and /sys for steps; see base/kernel_file.h. */
#include "base/kernel_file.h"
#include "agent.h"
#include "base/kmsg.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int64_t workload_number(const char *path, const char *field, int64_t missing)
{
	return kernel_number(path, field, missing);
}

bool workload_try_to_set(const char *path, const char *value)
{
	return kernel_set(path, value);
}

bool workload_own_cgroup(const char *controller, char *name, size_t size)
{
	return kernel_cgroup(controller, name, size);
}

bool workload_swap_area(char *area, size_t size)
{
	return kernel_swap(area, size);
}

void workload_set(struct workload *w, const char *path, const char *value)
{
	if (!workload_try_to_set(path, value))
		workload_skip(w, "%s: %m", path);
}

int workload_open_log(void)
{
	return kmsg_open();
}

bool workload_next_of_log(int log, char *text, size_t size)
{
	char record[KMSG_RECORD];
	const char *start;

	if (!kmsg_next(log, record))
		return false;
	start = strchr(record, ';');
	snprintf(text, size, "%s", start ? start + 1 : record);
	return true;
}

ssize_t workload_read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	text[n > 0 ? n : 0] = '\0';
	return n;
}

ssize_t workload_read_whole(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t have = 0;
	ssize_t n;

	text[0] = '\0';
	if (fd < 0)
		return -1;
	while (have < size - 1 && (n = read(fd, text + have, size - 1 - have)) > 0)
		have += (size_t)n;
	close(fd);
	text[have] = '\0';
	return (ssize_t)have;
}

bool workload_booted_with(const char *option, const char *values)
{
	char line[4096]; /* COMMAND_LINE_SIZE is 2048 on x86, arm64 and powerpc */

	workload_read_text("/proc/cmdline", line, sizeof(line));
	return kernel_option_has(line, option, values);
}

bool workload_try_to_set_number(const char *path, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	return workload_try_to_set(path, text);
}

void workload_set_number(struct workload *w, const char *path, int64_t value)
{
	if (!workload_try_to_set_number(path, value))
		workload_skip(w, "%s: %m", path);
}

int workload_open(struct workload *w, const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		workload_skip(w, "%s: %m", path);
	return fd;
}
