// SPDX-License-Identifier: MIT
/* unevictable in memory.stat counts memory that mlock(2) locks. */
#include "base/cpus.h"
#include "stat.h"

static int64_t lock(const struct workload *w)
{
	size_t bytes = STAT_PAGES * w->page_size;
	char *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	if (!p)
		return -ENOMEM;
	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit) { RLIM_INFINITY, RLIM_INFINITY });
	madvise(p, bytes, MADV_NOHUGEPAGE);
	if (mlock(p, bytes))
		return -errno;
	cpus_drain_lists();
	return STAT_PAGES;
}

static const struct stat_act locked = {
	.field = "unevictable",
	.act = lock,
	.needs = "mlock(2)",
	.as_much = " anon ",
};

STAT_CASE(
	cgroup_stat_unevictable, locked,
	.claim = "unevictable and anon in memory.stat rise by the private memory that mlock(2) "
		 "faults in and locks",
	.because =
		"mlock(2) faults in new pages. mlock_new_folio() puts each of them on the unevictable list, not on another LRU list. The cgroup that is charged for the folio counts the size of this list.", );
