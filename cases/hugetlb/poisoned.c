// SPDX-License-Identifier: MIT
/*
 * HugetlbPages does not count a hugetlb page with a memory error (hwpoison). RSS never counts
 * hugetlb pages.
 */
#include <rssck/case.h>
#include <rssck/panics.h>

STEP_SYMBOLS(MAP_AND_POISON);

enum { GONE = 0, STAYS = 1, NOT_HERE = 2, IN_SMAPS = 4 };

/*
 * Returns STAYS if HugetlbPages still counts the poisoned page, else GONE, plus IN_SMAPS if
 * smaps_rollup counts it; NOT_HERE if no hugetlb page can be poisoned. The process must survive the
 * SIGBUS that the kernel sends.
 */
static int map_and_poison(const struct workload *w)
{
	size_t bytes = workload_hugetlb_bytes();
	char *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_HUGETLB, -1);
	int result;

	workload_survive_sigbus();
	if (!p)
		return NOT_HERE;
	p[0] = 1;
	if (madvise(p, w->page_size, MADV_HWPOISON) < 0)
		return NOT_HERE;
	result = workload_number("/proc/self/status", "HugetlbPages", -1) ? STAYS : GONE;
	if (workload_number("/proc/self/smaps_rollup", "Private_Hugetlb", -1) +
	    workload_number("/proc/self/smaps_rollup", "Shared_Hugetlb", -1))
		result |= IN_SMAPS;
	return result;
}

/* Uses a child, because check_mm() reports a nonzero counter only when a process exits. */
static void measure(struct workload *w)
{
	int found;

	workload_needs_recovery(w);
	found = workload_in_child(w, map_and_poison);
	if (found == NOT_HERE)
		workload_skip(w, "MADV_HWPOISON of a hugetlb page (CONFIG_MEMORY_FAILURE)");
	workload_report(w, "stays", found & STAYS);
	workload_report(w, "in smaps", found & IN_SMAPS);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, MAP_AND_POISON, !trial_reported(t, MAP_AND_POISON, "stays"),
		   "HugetlbPages is 0 after the only page was poisoned");
	judge_yes_no(j, "hugetlb.poisoned_page_is_in_smaps",
		     trial_reported(t, MAP_AND_POISON, "in smaps"));
}

CASE(hugetlb_poisoned) {
	.claim = "When the kernel removes a hugetlb page because of a memory error, HugetlbPages "
		 "falls and no RSS changes, so the kernel reports no bad counter at exit",
	.because = "try_to_unmap_one() (on 7.3 try_to_unmap_poisoned_hugetlb_one()) replaces the "
		   "entry by a marker. It calls hugetlb_count_sub(), not dec_mm_counter(), because "
		   "no RSS counts the page. On most kernels smaps follows the marker's frame "
		   "number and still counts the page.",
	.said_by = SAID_BY("madvise(2), MADV_HWPOISON", "Documentation/mm/hwpoison.rst"),
	.needs = NEEDS("hugetlb", "guest"),
	.flags = CASE_POISONS,
	.steps = STEPS(STEP_AS(MAP_AND_POISON, "map and poison", measure)),
	.facts = FACTS(FACT("hugetlb.poisoned_page_is_in_smaps",
			    "Does smaps still count a poisoned hugetlb page?", "yes|no")),
	.judge = judge,
};
