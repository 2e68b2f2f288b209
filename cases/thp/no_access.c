// SPDX-License-Identifier: MIT
/* A huge page with PROT_NONE is still resident, and smaps should count it. */
#include <rssck/case.h>

enum { HUGE = 1, REGION = 0 };
STEP_SYMBOLS(PROTECT);

static int64_t huge_kb(void)
{
	return workload_number("/proc/self/smaps_rollup", "AnonHugePages", -1);
}

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, HUGE, -1);
	workload_huge_write(w, w->slot[REGION], HUGE);
	workload_expect(w, VIRT_DATA(HUGE * w->huge), ANON_HUGE(HUGE * w->huge));
}

/*
 * Restores the protection within the step: if smaps does not count the page, its identities do not
 * hold.
 */
static void protect_and_look(struct workload *w)
{
	int64_t before = huge_kb(), during;
	bool refused;
	int fd[2];

	workload_must(w, pipe(fd), "pipe");
	workload_protect(w, w->slot[REGION], w->huge_page_size, PROT_NONE);
	during = huge_kb();
	refused = write(fd[1], w->slot[REGION], 1) < 0 && errno == EFAULT;
	workload_protect(w, w->slot[REGION], w->huge_page_size, PROT_READ | PROT_WRITE);
	/* Writes again, because some kernels treat the page as clean now (thp/split_by_protect). */
	*(volatile char *)w->slot[REGION] = 1;
	close(fd[0]);
	close(fd[1]);
	workload_report(w, "refused", refused);
	workload_report(w, "kB less", before - during);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t less = trial_reported(t, PROTECT, "kB less");

	judge_true(j, PROTECT, trial_reported(t, PROTECT, "refused") == 1,
		   "reading an inaccessible page fails");
	judge_fact_of(j, "thp.PROT_NONE_page_is_in_smaps", less, t->host->huge_page_size / 1024,
		      "yes", "no", "in part");
}

CASE(thp_no_access) {
	.claim =
		"A huge page that mprotect(2) made inaccessible is still mapped, and smaps should count it; some kernels do not",
	.because = "change_huge_pmd() changes only the PMD. On 6.1 smaps_pmd_entry() calls "
		   "follow_trans_huge_pmd(), which mistakes a PROT_NONE entry for a NUMA balancing "
		   "hint and returns no page. Since 6.5 it calls vm_normal_page_pmd() instead.",
	.said_by = SAID_BY("proc_pid_smaps(5)"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("write a huge page", map_and_write),
		       STEP_AS(PROTECT, "PROT_NONE", protect_and_look)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.facts = FACTS(FACT("thp.PROT_NONE_page_is_in_smaps",
			    "Does smaps count a huge page with PROT_NONE?", "yes|no")),
	.judge = judge,
};
