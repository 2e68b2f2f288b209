// SPDX-License-Identifier: MIT
/*
 * If a part of the range is locked already, locking the whole range raises VmLck only by the rest.
 */
#include <rssck/case.h>

/* PAGES pages of 4 KiB fit into the kernel's default RLIMIT_MEMLOCK (64 KiB up to 5.15). */
enum { PART = 4, PAGES = 3 * PART, REGION = 0 };
STEP_SYMBOLS(MAP, MLOCK_ALL, MLOCK2_ALL, MLOCK_ALL_AGAIN);

static char *part(const struct workload *w, size_t i)
{
	return (char *)w->slot[REGION] + i * PART * w->page_size;
}

static void map_locked(struct workload *w)
{
	if (mmap(part(w, (size_t)w->argument), PART * w->page_size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_LOCKED, -1, 0) == MAP_FAILED)
		workload_skip(w, "mmap with MAP_LOCKED: %m");
	workload_expect(w, VIRT_OTHER(-PART), VIRT_DATA(PART), VIRT_LOCKED(PART),
			ANON_LOCKED(PART));
}

static void lock_all_onfault(struct workload *w)
{
	if (syscall(SYS_mlock2, part(w, 0), PAGES * w->page_size, MLOCK_ONFAULT) < 0)
		workload_skip_step(w, "mlock2: %m");
}

/* VmFlags has lf for memory that is locked on fault; older kernels print ?? for this flag. */
static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		unsigned step;
		bool on_fault;
	} steps[] = { { MLOCK_ALL, false }, { MLOCK2_ALL, true }, { MLOCK_ALL_AGAIN, false } };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct mapping *m = trial_mapping(t, steps[i].step, 0, MAP, "address");

		if (m && *m->flags)
			judge_true(
				j, steps[i].step,
				(mapping_has_flag(m, "lf") || mapping_has_flag(m, "??")) ==
					steps[i].on_fault,
				"VmFlags has lf if and only if the memory is locked by MLOCK_ONFAULT");
	}
}

CASE(anonymous_mlock_beside) {
	.claim = "Locking memory next to locked memory adds only the new part to VmLck. The part "
		 "that was locked before is not counted again, although the mappings merge",
	.because = "mlock_fixup() and mmap_region() add the size of the requested range, and "
		   "nothing for a mapping that already has VM_LOCKED. Merging the mappings does "
		   "not change locked_vm.",
	.said_by = SAID_BY("mlock(2): 'memory locks do not stack'", "proc_pid_status(5), VmLck"),
	.steps = STEPS(STEP_AS(MAP, "map", step_map, .pages = PAGES, .prot = NO_ACCESS,
			       .report = "address", MOVES(VIRT_OTHER(PAGES))),
		       STEP("MAP_LOCKED", map_locked),
		       STEP("MAP_LOCKED beside it", map_locked, .argument = 1),
		       STEP("MAP_LOCKED beside that", map_locked, .argument = 2),
		       STEP("munlock the middle", step_unlock, .first = PART, .pages = PART,
			    MOVES(ANON_TO_LOCKED(-PART))),
		       STEP("mlock the middle", step_lock, .first = PART, .pages = PART,
			    MOVES(ANON_TO_LOCKED(PART))),
		       STEP_AS(MLOCK_ALL, "mlock all", step_lock, .pages = PAGES),
		       STEP_AS(MLOCK2_ALL, "mlock2 all", lock_all_onfault),
		       STEP_AS(MLOCK_ALL_AGAIN, "mlock all again", step_lock, .pages = PAGES)),
	.posts = POSTS(VIRT_DATA(1), VIRT_LOCKED(1), ANON_LOCKED(1)),
	.judge = judge,
};
