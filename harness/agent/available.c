// SPDX-License-Identifier: MIT
/*
 * Sizes the steps that write a share of the machine's memory. Such a step may use at most half of
 * MemAvailable, within the limits of the workload's cgroups, and at most SHARE_MOST.
 */
#include "agent.h"
#include "base/kernel_file.h"
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>

#define ROOT "/sys/fs/cgroup"

/* Writing more would take longer than about a second. */
static const int64_t SHARE_MOST = 4LL << 30;

static int64_t less(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t of_machine(void)
{
	struct sysinfo si = { .freeram = 0 };
	int64_t kb = workload_number("/proc/meminfo", "MemAvailable", -1);

	sysinfo(&si);
	return kb >= 0 ? kb * 1024 : (int64_t)si.freeram * si.mem_unit;
}

static int64_t number_in(const char *directory, const char *file)
{
	char path[640];

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	return workload_number(path, NULL, -1);
}

/*
 * Returns the smaller of `have` and the bytes that the cgroup's limit leaves; `have` if the cgroup
 * has no limit.
 */
static int64_t below(const char *directory, const char *limit, const char *usage, int64_t have)
{
	int64_t most = number_in(directory, limit), used = number_in(directory, usage);

	return most < 0 || used < 0 ? have : less(have, most > used ? most - used : 0);
}

static int64_t up_the_tree(const char *root, char *path, const char *limit, const char *usage,
			   int64_t have)
{
	char directory[512];
	char *slash;

	do {
		snprintf(directory, sizeof(directory), "%s%s", root, path);
		have = below(directory, limit, usage, have);
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
	return have;
}

static int64_t workload_available(void)
{
	int64_t have = of_machine();
	char path[384];

	if (kernel_cgroup(NULL, path, sizeof(path)))
		have = up_the_tree(ROOT, path, "memory.max", "memory.current", have);
	if (kernel_cgroup("memory", path, sizeof(path)))
		have = up_the_tree(ROOT "/memory", path, "memory.limit_in_bytes",
				   "memory.usage_in_bytes", have);
	return have;
}

size_t workload_share_of_memory(struct workload *w, unsigned thousandths)
{
	struct sysinfo si = { .totalram = 0 };
	int64_t bytes, have = workload_available();

	sysinfo(&si);
	bytes = (int64_t)si.totalram / 1000 * si.mem_unit * thousandths;
	if (bytes > have / 2)
		workload_skip(
			w,
			"%lld MiB of available memory, twice what the step writes (%u/1000 of all memory)",
			(long long)(2 * bytes >> 20), thousandths);
	if (bytes > SHARE_MOST)
		workload_skip(
			w,
			"a machine with less memory (the step would write %lld MiB, %u/1000 of it)",
			(long long)(bytes >> 20), thousandths);
	return (size_t)bytes / w->page_size;
}
