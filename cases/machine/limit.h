// SPDX-License-Identifier: MIT
/* A limit of the cgroup's memory for a part of a load. */
#ifndef CASES_MACHINE_LIMIT_H
#define CASES_MACHINE_LIMIT_H

#include "loads.h"

/*
 * Limits the cgroup to `pages` more than now, and to no swap, until limit_end(). Returns a
 * descriptor of memory.max, because at the limit no file can be opened; -1 on failure.
 */
static inline int limit_begin(const struct workload *w, int64_t pages)
{
	char path[LEDGER_PATH], value[24];
	int fd = open(ledger_path("memory.max", path), O_WRONLY | O_CLOEXEC);
	int64_t now;

	if (fd >= 0 && workload_oom_panics()) {
		close(fd);
		return -1;
	}
	set_limit("memory.swap.max", "0");
	now = ledger_number("memory.current", NULL);
	snprintf(value, sizeof(value), "%" PRId64, now + pages * (int64_t)w->page_size);
	if (now >= 0 && fd >= 0 && pwrite(fd, value, strlen(value), 0) > 0)
		return fd;
	set_limit("memory.swap.max", "max");
	return -1;
}

static inline void limit_end(int fd)
{
	while (pwrite(fd, "max", 3, 0) < 0 && errno == EINTR)
		;
	close(fd);
	set_limit("memory.swap.max", "max");
}

#endif
