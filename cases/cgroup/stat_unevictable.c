// SPDX-License-Identifier: MIT
/* memory.stat's unevictable counts memory that mlock(2) keeps from reclaim. */
#include "stat.h"
#include <sys/resource.h>

STEP_SYMBOLS(IN_A_CGROUP);

static int64_t lock(const struct workload *w)
{
	size_t bytes = STAT_PAGES * w->page_size;
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return ENOMEM;
	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit) { RLIM_INFINITY, RLIM_INFINITY });
	madvise(p, bytes, MADV_NOHUGEPAGE);
	return mlock(p, bytes) ? errno : 0;
}

static void pay(struct workload *w)
{
	stat_pay(w, "unevictable", lock, "mlock(2)");
}

static void judge(const struct trial *t, struct judgement *j)
{
	stat_judge(t, j, IN_A_CGROUP, "unevictable", STAT_PAGES, STAT_PAGES, "anon");
	judge_within(j, IN_A_CGROUP, 0, "anon", trial_reported(t, IN_A_CGROUP, "anon"), STAT_PAGES,
		     STAT_BOUND, "anon rises by what is locked: mlock(2) faults it in");
}

CASE(cgroup_stat_unevictable) {
	.claim =
		"memory.stat's unevictable and anon rise by the private memory that mlock(2) locks",
	.because =
		"mlock_folio() takes a folio off its LRU list and puts it on the unevictable one, whose size "
		"is counted for the cgroup that the folio is charged to.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.judge = judge,
};
