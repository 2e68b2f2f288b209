// SPDX-License-Identifier: MIT
/*
 * A hugetlb page that two processes map through one shared page table should be Shared_Hugetlb,
 * although only one entry maps it.
 */
#include "shared_table.h"

enum { REGION = 0 };
STEP_SYMBOLS(ANOTHER_PROCESS_MAPS_IT);

static void map_and_write(struct workload *w)
{
	shared_table_map(w, REGION, &w->number[BYTES]);
	touch_write(w, w->slot[REGION], 1);
	workload_expect(w, HUGETLB(pages(w)));
}

static int64_t share_table(const struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	return workload_number("/proc/self/status", "HugetlbPages", -1);
}

/*
 * The child ends in the same step, because on some kernels the numbers disagree while it shares the
 * table.
 */
static void share(struct workload *w)
{
	int64_t of_child;
	pid_t pid = workload_companion(w, share_table, &of_child);

	workload_report(w, "page, kB", (int64_t)w->number[BYTES] / 1024);
	workload_report(w, "child, kB", of_child);
	workload_report(w, "shared, kB",
			workload_number("/proc/self/smaps_rollup", "Shared_Hugetlb", -1));
	workload_report(w, "private, kB",
			workload_number("/proc/self/smaps_rollup", "Private_Hugetlb", -1));
	workload_report(
		w, "exclusive",
		workload_pages_marked(w, w->slot[REGION], (size_t)pages(w), PAGEMAP_EXCLUSIVE));
	workload_companion_ends(pid);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t page = trial_reported(t, ANOTHER_PROCESS_MAPS_IT, "page, kB");
	int64_t shared = trial_reported(t, ANOTHER_PROCESS_MAPS_IT, "shared, kB");
	int64_t private = trial_reported(t, ANOTHER_PROCESS_MAPS_IT, "private, kB");

	/*
	 * Some kernels are wrong in both files, some only in pagemap. A kernel that is wrong only
	 * in smaps fails.
	 */
	judge_true(j, ANOTHER_PROCESS_MAPS_IT,
		   private != page || trial_reported(t, ANOTHER_PROCESS_MAPS_IT, "exclusive") != 0,
		   "bit 56 of pagemap is set for pages that smaps counts as private");
	judge_fact(j, "hugetlb.page_mapped_by_a_shared_table", "%s",
		   shared == page && private == 0   ? "shared"
		   : shared == 0 && private == page ? "private"
						    : "otherwise");
	judge_fact(j, "hugetlb.bit_56_of_a_page_mapped_by_a_shared_table", "%s",
		   trial_reported(t, ANOTHER_PROCESS_MAPS_IT, "exclusive") ? "on" : "off");
	judge_fact(j, "hugetlb.HugetlbPages_of_who_comes_by_a_shared_table", "%s",
		   trial_reported(t, ANOTHER_PROCESS_MAPS_IT, "child, kB") == 0      ? "not counted"
		   : trial_reported(t, ANOTHER_PROCESS_MAPS_IT, "child, kB") == page ? "counted"
										     : "otherwise");
}

CASE(hugetlb_shared_tables) {
	.claim =
		"A hugetlb page that two processes map through a shared page table should be Shared_Hugetlb; some kernels show it as private. The second process's HugetlbPages does not count it",
	.because = "Processes share a hugetlb page table if each maps the table's whole range "
		   "(huge_pmd_share()). Then one entry maps the page, and its mapcount is 1. Since "
		   "6.2 smaps checks whether the table is shared, but this fails on kernels that "
		   "count sharers elsewhere (6.12.43, 6.16, 6.17). A process that gets a shared "
		   "table takes no fault for the page, so its HugetlbPages does not count the "
		   "page.",
	.said_by = SAID_BY("proc_pid_smaps(5), Shared_Hugetlb"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map and write", map_and_write),
		       STEP_AS(ANOTHER_PROCESS_MAPS_IT, "another process maps it", share)),
	.posts = POSTS(VIRT_OTHER(1), HUGETLB(1)),
	.facts = FACTS(FACT("hugetlb.page_mapped_by_a_shared_table",
			    "In smaps, a hugetlb page in a shared page table is", "shared|private"),
		       FACT("hugetlb.bit_56_of_a_page_mapped_by_a_shared_table",
			    "Bit 56 of pagemap (mapped exclusively), for a hugetlb page in a "
			    "shared page table, is",
			    "on|off"),
		       FACT("hugetlb.HugetlbPages_of_who_comes_by_a_shared_table",
			    "In HugetlbPages, memory that a process maps through a shared page "
			    "table is",
			    "counted|not counted")),
	.judge = judge,
};
