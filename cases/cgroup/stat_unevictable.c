// SPDX-License-Identifier: MIT
/* memory.stat's unevictable counts memory that mlock(2) keeps from reclaim. */
#include "stat.h"
#include <sys/resource.h>

enum { MOVE_MINE = 2 }; /* MPOL_MF_MOVE */

/* Migration first moves the CPUs' batches to their LRU lists (mm/migrate.c do_pages_move()). */
static int64_t lock(const struct workload *w)
{
	size_t bytes = STAT_PAGES * w->page_size;
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int node = 0, status;

	if (p == MAP_FAILED)
		return -ENOMEM;
	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit) { RLIM_INFINITY, RLIM_INFINITY });
	madvise(p, bytes, MADV_NOHUGEPAGE);
	if (mlock(p, bytes))
		return -errno;
	syscall(SYS_move_pages, 0, 1UL, &p, &node, &status, MOVE_MINE);
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
	.claim =
		"memory.stat's unevictable and anon rise by the private memory that mlock(2) locks",
	.because =
		"mlock_folio() takes a folio off its LRU list and puts it on the unevictable one, whose size "
		"is counted for the cgroup that the folio is charged to.", );
