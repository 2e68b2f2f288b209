// SPDX-License-Identifier: MIT
/* VmLck and VmSize must be right for mappings of more pages than an int can count. */
#include <rssck/case.h>

/* The largest mapping has 2^LARGEST_SHIFT pages. An int counts fewer than 2^31. */
enum { SMALLEST_SHIFT = 8, LARGEST_SHIFT = 34, REFUSED = 100, RIGHT = 0 };
STEP_SYMBOLS(LOCK);

static bool is(const struct workload *w, const char *name, int64_t before, int64_t pages)
{
	return workload_status_pages(w, name) - before == pages;
}

/*
 * Returns false if VmLck or VmSize is wrong while a mapping of 2^shift pages is locked, unlocked,
 * locked again and unmapped, or if the second lock fails. Returns true, and sets *refused, if the
 * kernel refuses the mapping or the first lock.
 */
static bool lock_and_unlock(const struct workload *w, int shift, bool *refused)
{
	int64_t pages = INT64_C(1) << shift, size = workload_status_pages(w, "VmSize");
	int64_t locked = workload_status_pages(w, "VmLck");
	size_t bytes = (size_t)pages * w->page_size;
	void *p = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE, -1);
	bool right;

	*refused = !p || syscall(SYS_mlock2, p, bytes, MLOCK_ONFAULT);
	if (*refused)
		return true;
	right = is(w, "VmSize", size, pages) && is(w, "VmLck", locked, pages);
	munlock(p, bytes);
	right &= is(w, "VmLck", locked, 0);
	if (syscall(SYS_mlock2, p, bytes, MLOCK_ONFAULT))
		return false;
	munmap(p, bytes);
	return right && is(w, "VmLck", locked, 0) && is(w, "VmSize", size, 0);
}

/*
 * Returns the first shift for which a number is wrong; RIGHT if there is none; REFUSED if the
 * kernel does not allow to lock 2^31 pages.
 */
static int first_wrong(const struct workload *w)
{
	struct rlimit most = { RLIM_INFINITY, RLIM_INFINITY };
	bool refused = false;

	if (setrlimit(RLIMIT_MEMLOCK, &most))
		return REFUSED;
	for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
		if (!lock_and_unlock(w, shift, &refused))
			return shift;
		if (refused)
			return shift > 31 ? RIGHT : REFUSED;
	}
	return RIGHT;
}

/* A child locks the memory, because a wrong VmLck stays wrong until the process ends. */
static void lock(struct workload *w)
{
	int shift = workload_in_child(w, first_wrong);

	if (shift == REFUSED)
		workload_skip(w, "locking 2^31 pages of address space");
	workload_report(w, "first wrong", shift);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t shift = trial_reported(t, LOCK, "first wrong");

	judge_true(j, LOCK, shift == RIGHT || shift >= 31,
		   "VmLck counts mappings of fewer than 2^31 pages exactly");
	judge_fact(j, "locked.mappings_of_2_31_pages", "%s", shift ? "VmLck is wrong" : "exact");
}

CASE(anonymous_mlock_large) {
	.claim =
		"VmLck is exact for locked mappings of fewer than 2^31 pages (8 TiB with pages of 4 kB); for 2^31 pages or more, some kernels report a wrong VmLck until the process ends",
	.because = "mlock_fixup() adds the pages of the mapping to locked_vm. Before 6.12.117 and "
		   "7.3.4 it keeps them in an int.",
	.said_by = SAID_BY("proc_pid_status(5), VmLck"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(LOCK, "lock and unlock in a child", lock)),
	.facts = FACTS(FACT("locked.mappings_of_2_31_pages",
			    "Is VmLck exact when a mapping of 2^31 pages is locked?",
			    "exact|VmLck is wrong")),
	.judge = judge,
};
