// SPDX-License-Identifier: MIT
/* slab in memory.stat counts kernel objects of a cgroup's processes. */
#include "stat.h"

/*
 * The kernel objects of a mapping have 100 to 400 bytes. A node of the tree holds at least PER_NODE
 * mappings.
 */
enum { MAPPINGS = 32768, MOST = 400, PART = 4, PER_NODE = 4 };

/* Returns the bytes counted for an object: its slot in a slab, and a pointer to its cgroup. */
static int64_t charged(const char *cache)
{
	char path[96];
	int64_t slot;

	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/slab_size", cache);
	slot = workload_number(path, NULL, 0);
	return slot ? slot + (int64_t)sizeof(void *) : 0;
}

/* Debugging (slab_debug=) makes each slot larger. */
static int64_t most(void)
{
	int64_t here = charged("vm_area_struct") + charged("vma_lock") +
		       charged("maple_node") / PER_NODE;

	return here > MOST ? here : MOST;
}

/* Makes every second page writable, so that no mapping merges with the next one. */
static int64_t map_many(const struct workload *w)
{
	size_t bytes = (size_t)MAPPINGS * w->page_size;
	char *p = workload_try_map(bytes, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, -1);

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < bytes; i += 2 * w->page_size)
		if (mprotect(p + i, w->page_size, PROT_READ | PROT_WRITE))
			return -errno;
	return MAPPINGS * most() / (int64_t)w->page_size;
}

static const struct stat_act mappings = {
	.field = "slab",
	.act = map_many,
	.needs = "32768 mappings",
	.as_much = " kernel ",
	.least = PART,
};

STAT_CASE(cgroup_stat_slab, mappings,
	  .claim = "slab and kernel in memory.stat rise by 100 to 400 bytes for each new mapping "
		   "of a process in the cgroup",
	  .because = "vm_area_struct is allocated with SLAB_ACCOUNT: the kernel adds each object's "
		     "bytes to the slab numbers of the cgroup whose process allocates it.", );
