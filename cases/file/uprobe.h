// SPDX-License-Identifier: MIT
/* Places uprobes in the text of a file. */
#ifndef CASES_FILE_UPROBE_H
#define CASES_FILE_UPROBE_H

#include <linux/perf_event.h>
#include <rssck/case.h>

/* Returns a descriptor; closing it removes the uprobe. Only this process hits the uprobe. */
static inline int uprobe_put_in(struct workload *w, int file, size_t offset)
{
	int64_t type = workload_number("/sys/bus/event_source/devices/uprobe/type", NULL, -1);
	struct perf_event_attr attr = { .type = (uint32_t)type, .size = sizeof(attr) };
	char path[32];
	int fd;

	if (type < 0)
		workload_skip(w, "uprobes (CONFIG_UPROBE_EVENTS)");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	attr.config1 = (uintptr_t)path;
	attr.config2 = offset;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		workload_skip(w, "perf_event_open(2) of a uprobe: %m");
	return fd;
}

#endif
