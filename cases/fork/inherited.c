// SPDX-License-Identifier: MIT
/*
 * What decides memory numbers, or is one, after each way to make a process, a thread, or a new
 * program: inherited, shared or reset.
 */
#include "inherited.h"

static void each_limit(struct workload *w)
{
	attribute = &limits;
	for (limit = rlimits; limit < rlimits + RLIMITS; limit++)
		must_be_inherited(w, limit->name);
	workload_checked(w);
}

#define ROW(which, title) STEP(title, each_way, .argument = which, .checks = 1)

CASE(fork_inherited) {
	.claim =
		"coredump_filter, oom_score_adj, THP_enabled, PR_SET_MDWE, the memory policy and the limits of a process are those of its parent, and exec keeps them; locked, pinned, swapped and hugetlb memory and MCL_FUTURE end with exec, and fork inherits neither locks nor pins; a thread, and a process made by vfork or with CLONE_VM, has all numbers of the same memory",
	.because = "mm_init() copies MMF_INIT_MASK from the mm of the process that forks or calls "
		   "exec, and sets locked_vm, pinned_vm and the counters to 0; dup_mmap() clears "
		   "VM_LOCKED. copy_signal() copies the limits and oom_score_adj. With CLONE_VM "
		   "copy_mm() takes the same mm.",
	.said_by = SAID_BY("core(5), coredump_filter", "proc_pid_oom_score_adj(5)",
			   "prctl(2), PR_SET_THP_DISABLE, PR_SET_MDWE", "mlock(2)",
			   "mlockall(2), MCL_FUTURE", "getrlimit(2)", "set_mempolicy(2)"),
	.steps = STEPS(ROW(FILTER, "coredump_filter"), ROW(OOM_SCORE_ADJ, "oom_score_adj"),
		       ROW(OOM_ADJ, "oom_adj"), ROW(THP_DISABLE, "THP_enabled"),
		       ROW(MDWE, "PR_SET_MDWE"), ROW(MDWE_NO_INHERIT, "PR_SET_MDWE, not inherited"),
		       ROW(LOCK_FUTURE, "MCL_FUTURE"), ROW(LOCKED, "VmLck"), ROW(PINNED, "VmPin"),
		       ROW(SWAPPED_OUT, "swapped"), ROW(HUGETLB_PRIVATE, "private hugetlb"),
		       ROW(HUGETLB_SHARED, "shared hugetlb"), ROW(POLICY, "memory policy"),
		       STEP("limits", each_limit, .checks = 1)),
	.flags = CASE_THP,
};
