// SPDX-License-Identifier: MIT
/* Reads the numbers of the whole machine from /proc/meminfo. */
#include "base/kernel_file.h"
#include "scan/census/census.h"

/* No machine has more than 2^64 bytes, so a larger number is invalid. */
enum { KB_BITS = 54 };

static int64_t field(const char *meminfo, const char *key)
{
	int64_t kb = kernel_number_in(meminfo, key, -1);

	return kb < 0 || kb >> KB_BITS ? -1 : kb;
}

/* Returns the kernel's own memory. A field that is not printed counts as 0. */
static int64_t kernel_memory(const char *meminfo)
{
	static const char *const keys[] = { "Slab", "KernelStack", "PageTables", "SecPageTables",
					    "Percpu" };
	int64_t sum = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		int64_t kb = field(meminfo, keys[i]);

		sum += kb > 0 ? kb : 0;
	}
	return sum;
}

struct machine machine_read(const char *meminfo)
{
	return (struct machine) {
		.total = field(meminfo, "MemTotal"),
		.anon = field(meminfo, "AnonPages"),
		.mapped = field(meminfo, "Mapped"),
		.shmem = field(meminfo, "Shmem"),
		.cached = field(meminfo, "Cached"),
		.hugetlb = field(meminfo, "Hugetlb"),
		.kernel = kernel_memory(meminfo),
	};
}
