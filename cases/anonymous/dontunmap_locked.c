// SPDX-License-Identifier: MIT
/*
 * The mapping that MREMAP_DONTUNMAP leaves behind is not locked, but some kernels keep counting it
 * in VmLck.
 */
#include "dontunmap.h"

static int move_locked(const struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	void *q = MAP_FAILED;

	if (p && mlock(p, bytes) == 0)
		q = mremap(p, bytes, bytes, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
	return dontunmap_locked(w, p, q);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t locked = trial_reported(t, MOVE, "locked");

	judge_fact(j, "mremap.DONTUNMAP_counts_locked_memory", "%s",
		   locked == PAGES       ? "once"
		   : locked == 2 * PAGES ? "twice"
					 : "otherwise");
	judge_reported(t, j, MOVE, "left", "status.VmLck after both unmaps", locked - PAGES,
		       "munmap(2) subtracts the moved memory from VmLck");
}

CASE(anonymous_dontunmap_locked) {
	.claim = "The mapping that MREMAP_DONTUNMAP leaves behind is not locked, so VmLck should "
		 "count the moved memory once. Some kernels count it twice, and still once after "
		 "both mappings are unmapped, until the process ends",
	.because =
		"The new mapping is locked. The old mapping loses VM_LOCKED, but locked_vm still includes its pages, so the kernel must not add the new mapping's pages. Kernels from 6.16 to 7.2.7 do add them, because they call vrm_stat_account() before dontunmap_complete().",
	.said_by = SAID_BY("mremap(2), MREMAP_DONTUNMAP"),
	.steps = STEPS(STEP_AS(MOVE, "move", measure)),
	.facts = FACTS(FACT("mremap.DONTUNMAP_counts_locked_memory",
			    "Memory that MREMAP_DONTUNMAP moves is counted in VmLck",
			    "once|twice")),
	.judge = judge,
};
