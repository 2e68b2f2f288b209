// SPDX-License-Identifier: MIT
/*
 * mlock does not lock memory that the kernel may drop (MAP_DROPPABLE). MCL_FUTURE should not lock
 * it either, but does on some kernels.
 */
#include <rssck/case.h>

STEP_SYMBOLS(MAP_IT_UNDER_MCL_FUTURE);

#ifndef MAP_DROPPABLE
#define MAP_DROPPABLE 0x08 /* since 6.11 */
#endif

/* PAGES pages of up to 16 KiB fit into the kernel's default RLIMIT_MEMLOCK (64 KiB up to 5.15). */
enum { PAGES = 4, REGION = 0 };

static void *map_droppable(struct workload *w)
{
	void *p = workload_try_map(PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_DROPPABLE, -1);

	if (!p)
		workload_skip(w, "MAP_DROPPABLE (Linux 6.11): %m");
	workload_remember(w, p, PAGES * w->page_size);
	return p;
}

static int64_t locked(struct workload *w)
{
	return workload_status_pages(w, "VmLck");
}

static void map(struct workload *w)
{
	w->slot[REGION] = map_droppable(w);
}

/* Maps and unmaps in one step, because MCL_FUTURE must not lock mappings of later steps. */
static void map_all_locked(struct workload *w)
{
	int64_t before = locked(w), with;
	void *p;

	if (mlockall(MCL_FUTURE) < 0)
		workload_skip_step(w, "mlockall(2): %m");
	/*
	 * Reading VmLck makes the C library allocate memory, which MCL_FUTURE locks. `with`
	 * includes this memory.
	 */
	with = locked(w);
	p = map_droppable(w);
	workload_report(w, "locked", locked(w) - with);
	workload_unmap(w, p, PAGES * w->page_size);
	workload_must(w, munlockall(), "munlockall");
	if (locked(w) != before)
		workload_fail(
			w,
			"VmLck is off by %+lld pages: after the mapping was unmapped it should be as before",
			(long long)(locked(w) - before));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t pages = trial_reported(t, MAP_IT_UNDER_MCL_FUTURE, "locked");

	if (pages >= 0)
		judge_fact_of(j, "droppable_memory.under_MCL_FUTURE_is", pages, PAGES, "not locked",
			      "locked", "locked in part");
}

CASE(anonymous_droppable) {
	.claim = "mlock does not lock MAP_DROPPABLE memory. Under MCL_FUTURE some kernels count "
		 "it in VmLck, although the kernel may drop its pages",
	.because =
		"mlock_fixup() skips VM_DROPPABLE mappings. mmap_region() copies VM_LOCKED from mm->def_flags; newer kernels, such as 6.12.86, 6.18.44, 7.0.13 and 7.1, also call vma_supports_mlock().",
	.said_by = SAID_BY("mmap(2), MAP_DROPPABLE", "mlockall(2), MCL_FUTURE"),
	.steps = STEPS(STEP("map it", map, MOVES(VIRT_DATA(PAGES))),
		       STEP("write", step_write, .pages = PAGES, .flags = STEP_ANY_PAGES),
		       STEP("mlock", step_lock, .pages = PAGES),
		       STEP_AS(MAP_IT_UNDER_MCL_FUTURE, "map it under MCL_FUTURE", map_all_locked)),
	.facts = FACTS(FACT("droppable_memory.under_MCL_FUTURE_is",
			    "Under mlockall(MCL_FUTURE) a new mapping that the kernel may drop is",
			    "not locked|locked")),
	.judge = judge,
};
