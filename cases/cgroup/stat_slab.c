// SPDX-License-Identifier: MIT
/* memory.stat's slab counts objects that the kernel keeps for a cgroup's processes. */
#include "stat.h"

/* A mapping is an object of 100 to 400 bytes. */
enum { MAPPINGS = 32768, LEAST = 100, MOST = 400, PAGE_LEAST = 4096 };
STEP_SYMBOLS(IN_A_CGROUP);

/* Every other page may be written: none merges with its neighbour. */
static int64_t map_many(const struct workload *w)
{
	size_t bytes = (size_t)MAPPINGS * w->page_size;
	char *p = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return ENOMEM;
	for (size_t i = 0; i < bytes; i += 2 * w->page_size)
		if (mprotect(p + i, w->page_size, PROT_READ | PROT_WRITE))
			return errno;
	return 0;
}

static void pay(struct workload *w)
{
	stat_pay(w, "slab", map_many, "32768 mappings");
}

static void judge(const struct trial *t, struct judgement *j)
{
	stat_judge(t, j, IN_A_CGROUP, "slab", (int64_t)MAPPINGS * LEAST / t->host->page_size,
		   (int64_t)MAPPINGS * MOST / PAGE_LEAST, "");
}

CASE(cgroup_stat_slab) {
	.claim =
		"memory.stat's slab rises with the mappings of a process in the cgroup, each an object of 100 to "
		"400 bytes",
	.because =
		"vm_area_struct is allocated with SLAB_ACCOUNT: each object's bytes are added to the slab "
		"numbers of the cgroup that has made it.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.judge = judge,
};
