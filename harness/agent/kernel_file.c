// SPDX-License-Identifier: MIT
/* Reads and sets files of /proc and /sys for steps; see base/kernel_file.h. */
#include "base/kernel_file.h"
#include "agent.h"
#include <fcntl.h>

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

int workload_open(struct workload *w, const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		workload_skip(w, "%s: %m", path);
	return fd;
}
