// SPDX-License-Identifier: MIT
/*
 * PR_SET_MEMORY_MERGE after each way to make a process, a thread, or a new program. ksmd stands
 * still meanwhile: it would merge pages that the workload shares with its children.
 */
#include "inherited.h"

STEP_SYMBOLS(MERGE);

#define RUN "/sys/kernel/mm/ksm/run"

static int64_t was;

static void restore(void)
{
	workload_try_to_set_number(RUN, was);
}

static void each_way_without_ksmd(struct workload *w)
{
	struct workload_guard g;

	was = workload_number(RUN, NULL, -1);
	if (was < 0)
		workload_skip(w, "KSM (CONFIG_KSM)");
	if (prctl(PR_GET_MEMORY_MERGE, 0, 0, 0, 0) < 0)
		workload_skip(w, "PR_SET_MEMORY_MERGE (Linux 6.4): %m");
	if (w->argument == MERGE_ANY && merge_any_of(getpid()) == UNKNOWN)
		workload_skip_step(w, "ksm_merge_any in /proc/PID/ksm_stat (Linux 6.16)");
	g = workload_guard_begin(w, restore);
	workload_try_to_set(RUN, "0");
	each_way(w);
	workload_guard_end(w, &g);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t kept = trial_reported(t, MERGE, "kept");

	if (kept >= 0)
		judge_yes_no(j, "exec.keeps_PR_SET_MEMORY_MERGE", kept);
}

CASE(fork_inherited_merge) {
	.claim =
		"A process inherits PR_SET_MEMORY_MERGE by fork, and shares it by vfork, with CLONE_VM and as a thread, whoever sets it; since 6.7 exec keeps it, too. prctl(2), VmFlags and, since 6.16, ksm_stat agree",
	.because =
		"mm_init() copies MMF_VM_MERGE_ANY, which is in MMF_INIT_MASK, and ksm_fork() and "
		"ksm_execve() give the new mm to ksmd.",
	.said_by = SAID_BY("prctl(2), PR_SET_MEMORY_MERGE",
			   "Documentation/admin-guide/mm/ksm.rst, ksm_merging_pages"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP_AS(MERGE, "each way", each_way_without_ksmd, .argument = MEMORY_MERGE,
			       .checks = 1),
		       STEP("ksm_merge_any", each_way_without_ksmd, .argument = MERGE_ANY,
			    .checks = 1)),
	.facts = FACTS(FACT("exec.keeps_PR_SET_MEMORY_MERGE", "Does exec keep PR_SET_MEMORY_MERGE?",
			    "yes|no")),
	.judge = judge,
};
