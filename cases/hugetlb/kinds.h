// SPDX-License-Identifier: MIT
/* The kinds of hugetlb mappings, and what the pool of the default size has. */
#ifndef CASES_HUGETLB_KINDS_H
#define CASES_HUGETLB_KINDS_H

#include "base/kernel_file.h"
#include <rssck/case.h>

static const struct kind {
	const char *name;
	int flags;
	bool of_file, reserves;
} PRIVATE = { "private", MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, false, true },
  UNRESERVED = { "private, without reservation",
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE, false, false },
  OF_FILE = { "private, of a file", MAP_PRIVATE, true, true },
  SHARED = { "shared", MAP_SHARED, true, true },
  SHARED_UNRESERVED = { "shared, without reservation", MAP_SHARED | MAP_NORESERVE, true, false };

struct pool {
	int64_t free, reserved, surplus;
};

static inline struct pool look_at_pool(void)
{
	workload_read_text("/proc/meminfo", workload_buffer, WORKLOAD_BUFFER);
	return (struct pool) { kernel_number_in(workload_buffer, "HugePages_Free", -1),
			       kernel_number_in(workload_buffer, "HugePages_Rsvd", -1),
			       kernel_number_in(workload_buffer, "HugePages_Surp", -1) };
}

#endif
