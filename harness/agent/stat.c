// SPDX-License-Identifier: MIT
/* Reads a process's own stat, status and getrusage(2). */
#include "agent.h"
#include "base/number.h"
#include <stdio.h>
#include <string.h>

bool stat_field(const char *line, unsigned field, int64_t *value)
{
	/* The second field may contain anything, even blanks and brackets. */
	const char *at = strrchr(line, ')');

	for (unsigned i = 2; at && i < field; i++)
		at = strchr(at + 1, ' ');
	if (!at++)
		return false;
	return number_signed(&at, at + strlen(at), value) == NUMBER_OK;
}

int64_t workload_stat(struct workload *w, const char *task, unsigned field)
{
	char path[80], line[1024] = "";
	int64_t value;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/stat", task);
	f = fopen(path, "re");
	if (!f || !fgets(line, sizeof(line), f))
		workload_die(w, "%s: %m", path);
	fclose(f);
	if (!stat_field(line, field, &value))
		workload_die(w, "%s has no field %u", path, field);
	return value;
}

int64_t workload_meminfo_pages(const struct workload *w, const char *name)
{
	return workload_number("/proc/meminfo", name, 0) * 1024 / (int64_t)w->page_size;
}

int64_t workload_all_pages(const struct workload *w)
{
	return workload_meminfo_pages(w, "MemTotal") + workload_meminfo_pages(w, "SwapTotal");
}

int64_t workload_status_pages(const struct workload *w, const char *name)
{
	int64_t kb = workload_number("/proc/self/status", name, INT64_MIN);

	return kb == INT64_MIN ? -1 : kb * 1024 / (int64_t)w->page_size;
}

void workload_report_usage(struct workload *w, const struct rusage *usage)
{
	workload_report(w, "maxrss", usage->ru_maxrss * 1024 / (int64_t)w->page_size);
	workload_report(w, "minflt", usage->ru_minflt);
	workload_report(w, "majflt", usage->ru_majflt);
}

void workload_report_rusage(struct workload *w, int who)
{
	struct rusage usage = workload_getrusage(who);

	workload_report_usage(w, &usage);
}
