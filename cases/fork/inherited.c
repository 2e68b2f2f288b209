// SPDX-License-Identifier: MIT
/*
 * Settings of a process that decide memory numbers, after each way to make a process, a thread, or
 * a new program: inherited, shared or reset. And whom a later change reaches.
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
		"coredump_filter, oom_score_adj and its least value, THP_enabled, PR_SET_MDWE, the memory policy, the personality and the limits of a process are those of its parent; exec keeps them, and an exec that is refused changes none. A later change reaches those that share the mm, the process, or neither, depending on whose the setting is",
	.because =
		"mm_init() copies the flags in MMF_INIT_MASK from the mm of the process that forks or calls exec. copy_signal() copies the limits, oom_score_adj and oom_score_adj_min. With CLONE_VM copy_mm() takes the same mm. A memory policy and a personality are the task's own; __set_oom_adj() writes to all that share the mm, except vfork children.",
	.said_by = SAID_BY("core(5), coredump_filter", "proc_pid_oom_score_adj(5)",
			   "prctl(2), PR_SET_THP_DISABLE, PR_SET_MDWE", "getrlimit(2)",
			   "set_mempolicy(2)", "personality(2)"),
	.steps = STEPS(ROW(FILTER, "coredump_filter"), ROW(OOM_SCORE_ADJ, "oom_score_adj"),
		       ROW(OOM_ADJ, "oom_adj"), ROW(LEAST_SCORE_ADJ, "least oom_score_adj"),
		       ROW(THP_DISABLE, "THP_enabled"),
		       ROW(THP_DISABLE_SOME, "PR_THP_DISABLE_EXCEPT_ADVISED"),
		       ROW(MDWE, "PR_SET_MDWE"), ROW(MDWE_NO_INHERIT, "PR_SET_MDWE, not inherited"),
		       ROW(POLICY, "memory policy"), ROW(PERSONALITY, "personality"),
		       STEP("limits", each_limit, .checks = 1)),
	.flags = CASE_THP,
};
