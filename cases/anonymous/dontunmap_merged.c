// SPDX-License-Identifier: MIT
/*
 * MREMAP_DONTUNMAP moves locked memory directly next to its old place, so that the new mapping may
 * merge with the old one.
 */
#include "dontunmap.h"

enum { HOLE = 2 * PAGES + 2 };

static int move_locked(const struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	char *p = workload_try_map(HOLE * w->page_size, PROT_NONE, MAP_PRIVATE, -1);
	char *q = MAP_FAILED;

	if (!p)
		return NOT_HERE;
	p += w->page_size;
	/* The memory is never touched, so no anon_vma prevents the merge. */
	if (mmap(p, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) != MAP_FAILED &&
	    syscall(SYS_mlock2, p, bytes, MLOCK_ONFAULT) == 0)
		q = mremap(p, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
			   p + bytes);
	return dontunmap_locked(w, p, q);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t locked = trial_reported(t, MOVE, "locked");
	int64_t left = trial_reported(t, MOVE, "left");

	judge_fact(j, "mremap.DONTUNMAP_beside_itself_leaves_locked", "%s",
		   left == 0                              ? "nothing"
		   : left == PAGES && locked == PAGES     ? "all of it, for good"
		   : left == PAGES && locked == 2 * PAGES ? "all of it, counted twice"
		   : left == 2 * PAGES && locked == left  ? "twice as much, for good"
							  : "something else");
}

CASE(anonymous_dontunmap_merged) {
	.claim = "If MREMAP_DONTUNMAP moves locked memory next to its old place, unmapping both "
		 "places should subtract the memory from VmLck; on some kernels VmLck counts it "
		 "until the process ends",
	.because =
		"If the new mapping merges with the old one, clearing VM_LOCKED on the old mapping clears it for both, so munmap(2) subtracts nothing. In newer kernels, such as 6.12.118, 7.2.13 and 7.3, copy_vma() does not merge the two mappings.",
	.said_by = SAID_BY("mremap(2), MREMAP_DONTUNMAP", "proc_pid_status(5), VmLck"),
	.steps = STEPS(STEP_AS(MOVE, "move", measure)),
	.facts = FACTS(FACT(
		"mremap.DONTUNMAP_beside_itself_leaves_locked",
		"After MREMAP_DONTUNMAP moves locked memory next to its old place and both are unmapped, VmLck still counts",
		"nothing|all of it, for good|all of it, counted twice|"
		"twice as much, for good")),
	.judge = judge,
};
