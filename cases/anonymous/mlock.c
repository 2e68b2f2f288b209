// SPDX-License-Identifier: MIT
/*
 * mlock makes memory resident. VmLck counts its address space, and Locked its Pss. munlock lowers
 * both and leaves the pages resident.
 */
#include <rssck/case.h>

/* PAGES pages of 4 KiB fit into the kernel's default RLIMIT_MEMLOCK (64 KiB up to 5.15). */
enum { PAGES = 12 };
STEP_SYMBOLS(MAP_AND_WRITE_HALF, MLOCK, MUNLOCK_THE_REST);

static void judge(const struct trial *t, struct judgement *j)
{
	static const char rule[] = "kpageflags marks the locked pages";

	if (trial_value(t, MLOCK, 0, METRIC_FRAMES_MLOCKED) < 0)
		return;
	judge_moved_since(t, j, MAP_AND_WRITE_HALF, MLOCK, METRIC_FRAMES_MLOCKED, PAGES, rule);
	judge_moved_since(t, j, MLOCK, MUNLOCK_THE_REST, METRIC_FRAMES_MLOCKED, -PAGES, rule);
}

CASE(anonymous_mlock) {
	.claim =
		"mlock makes memory resident. VmLck counts the locked address space; Locked in smaps counts the resident pages of locked mappings, each by its share in Pss. munlock leaves the pages in RES",
	.because = "mlock(2) sets VM_LOCKED on the mapping, adds its size to locked_vm and faults "
		   "in every page, with write faults if the mapping is private and writable. "
		   "munlock(2) and munmap(2) lower locked_vm.",
	.said_by = SAID_BY("mlock(2)", "proc_pid_status(5), VmLck", "proc_pid_smaps(5), Locked"),
	.steps = STEPS(STEP_AS(MAP_AND_WRITE_HALF, "map and write half", step_map, .pages = PAGES,
			       .written = PAGES / 2,
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES / 2))),
		       STEP_AS(MLOCK, "mlock", step_lock, .pages = PAGES,
			       MOVES(ANON_WRITE(PAGES / 2), ANON_TO_LOCKED(PAGES))),
		       STEP("mlock again", step_lock, .pages = PAGES),
		       STEP("munlock one page", step_unlock, .pages = 1, MOVES(ANON_TO_LOCKED(-1))),
		       STEP("unmap the locked half", step_unmap, .first = PAGES / 2,
			    .pages = PAGES / 2,
			    MOVES(VIRT_DATA(-(PAGES / 2)), VIRT_LOCKED(-(PAGES / 2)),
				  ANON_LOCKED(-(PAGES / 2)))),
		       STEP_AS(MUNLOCK_THE_REST, "munlock the rest", step_unlock,
			       .pages = PAGES / 2, MOVES(ANON_TO_LOCKED(-(PAGES / 2 - 1))))),
	.moves = METRICS(METRIC_FRAMES_MLOCKED),
	.judge = judge,
};
