// SPDX-License-Identifier: MIT
/* mlockall(MCL_FUTURE) locks what will be mapped and makes it resident at once. */
#include <rssck/case.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PAGES = 64 };

static void map(struct workload *w)
{
	workload_anonymous(w, PAGES);
}

/* Settling maps twice what a page table spans, and all of that counts as locked, too. */
static void lock_future(struct workload *w)
{
	rlim_t enough = 3 * w->page_size * (w->page_size / sizeof(uint64_t));
	struct rlimit limit = { 0, 0 };

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (geteuid() != 0 && limit.rlim_cur < enough)
		workload_skip(w, "RLIMIT_MEMLOCK of %llu kB (it is %llu kB)",
			      (unsigned long long)enough / 1024,
			      (unsigned long long)limit.rlim_cur / 1024);
	if (mlockall(MCL_FUTURE) < 0)
		workload_skip(w, "mlockall: %m");
}

static void move_break(struct workload *w, intptr_t pages)
{
	if (sbrk(pages * (intptr_t)w->page_size) == (void *)-1)
		workload_die(w, "brk by %ld pages: %m", (long)pages);
}

static void break_up(struct workload *w)
{
	move_break(w, PAGES);
}

static void break_down(struct workload *w)
{
	move_break(w, -PAGES);
}

static void unlock(struct workload *w)
{
	workload_must(w, munlockall(), "munlockall");
}

CASE(anonymous_mlockall) {
	.claim = "mlockall(MCL_FUTURE) itself moves nothing; later mappings are locked and "
		 "resident, until munlockall",
	.because = "mm->def_flags gives VM_LOCKED to each new mapping, and mmap(2) and brk(2) "
		   "populate it.",
	.said_by = SAID_BY("mlockall(2)"),
	.steps = STEPS(STEP("MCL_FUTURE", lock_future),
		       STEP("map", map,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		       STEP("break up", break_up,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		       STEP("break down", break_down,
			    MOVES(VIRT_DATA(-PAGES), VIRT_LOCKED(-PAGES), ANON_LOCKED(-PAGES))),
		       STEP("munlockall", unlock,
			    MOVES(VIRT_LOCKED(-PAGES), ANON_LOCKED(-PAGES), ANON_WRITE(PAGES))),
		       STEP("map unlocked", map, MOVES(VIRT_DATA(PAGES)))),
};
