// SPDX-License-Identifier: MIT
/* mlockall(MCL_FUTURE) locks later mappings and makes them resident. */
#include <rssck/case.h>

enum { PAGES = 64 };

/*
 * To settle the counters, rssck maps twice as much memory as one page table maps in this process.
 * MCL_FUTURE locks this memory, too.
 */
static void lock_future(struct workload *w)
{
	rlim_t enough = 3 * workload_table_bytes(w);
	struct rlimit limit = { 0, 0 };

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (geteuid() != 0 && limit.rlim_cur < enough)
		workload_skip(w, "RLIMIT_MEMLOCK of %llu kB (it is %llu kB)",
			      (unsigned long long)enough / 1024,
			      (unsigned long long)limit.rlim_cur / 1024);
	if (mlockall(MCL_FUTURE) < 0)
		workload_skip(w, "mlockall: %m");
}

static void move_break(struct workload *w)
{
	workload_break(w, w->argument);
}

CASE(anonymous_mlockall) {
	.claim =
		"mlockall(MCL_FUTURE) itself changes no number. Until munlockall, private writable memory that mmap or brk adds is locked and resident",
	.because = "mlockall() sets VM_LOCKED in mm->def_flags, which new mappings get, except "
		   "hugetlb and special ones. mmap(2) and brk(2) then populate the mapping.",
	.said_by = SAID_BY("mlockall(2)"),
	.steps = STEPS(STEP("MCL_FUTURE", lock_future),
		       STEP("map", step_map, .pages = PAGES,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		       STEP("raise the break", move_break, .argument = PAGES,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		       STEP("lower the break", move_break, .argument = -PAGES,
			    MOVES(VIRT_DATA(-PAGES), VIRT_LOCKED(-PAGES), ANON_LOCKED(-PAGES))),
		       STEP("munlockall", step_unlock_all,
			    MOVES(VIRT_LOCKED(-PAGES), ANON_LOCKED(-PAGES), ANON_WRITE(PAGES))),
		       STEP("map unlocked", step_map, .pages = PAGES, MOVES(VIRT_DATA(PAGES)))),
};
