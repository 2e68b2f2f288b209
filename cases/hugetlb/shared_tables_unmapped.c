// SPDX-License-Identifier: MIT
/*
 * On most kernels the last process to unmap a shared hugetlb page table subtracts pages that its
 * HugetlbPages never counted.
 */
#include "shared_table.h"
#include <poll.h>

enum { REGION = 0, SPAN = 1, FIRST = 2 };
STEP_SYMBOLS(ONE_COMES_THE_OTHER_UNMAPS_LAST);

static int64_t hugetlb_kb(void)
{
	return workload_number("/proc/self/status", "HugetlbPages", INT64_MIN);
}

static void map(struct workload *w)
{
	w->number[SPAN] = (int64_t)shared_table_map(w, REGION, &w->number[BYTES]);
}

static int64_t come_first(const struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	return hugetlb_kb();
}

/* Kills the process and waits on a pidfd until it has exited; its memory is freed by then. */
static bool end(pid_t pid)
{
	struct pollfd p = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };

	return p.fd >= 0 && kill(pid, SIGKILL) == 0 && poll(&p, 1, -1) == 1;
}

/*
 * The second child shares the first child's page table, if the kernel shares tables. It kills the
 * first child, which leaves it as the table's only user, and unmaps. Returns its HugetlbPages in
 * kB, or INT64_MIN on failure.
 */
static int64_t go_last(const struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	if (!end((pid_t)w->number[FIRST]) || munmap(w->slot[REGION], (size_t)w->number[SPAN]) < 0)
		return INT64_MIN;
	return hugetlb_kb();
}

/* Uses child processes, because a wrong HugetlbPages stays wrong until the process ends. */
static void share(struct workload *w)
{
	int64_t first, last;
	pid_t pid;

	w->number[FIRST] = workload_companion(w, come_first, &first);
	pid = workload_companion(w, go_last, &last);
	workload_companion_ends(pid);
	workload_companion_ends((pid_t)w->number[FIRST]);
	if (last == INT64_MIN)
		workload_skip(w, "pidfd_open(2) (Linux 5.3)");
	workload_report(w, "page", w->number[BYTES] / 1024);
	workload_report(w, "first", first);
	workload_report(w, "last", last);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t page = trial_reported(t, ONE_COMES_THE_OTHER_UNMAPS_LAST, "page");
	int64_t last = trial_reported(t, ONE_COMES_THE_OTHER_UNMAPS_LAST, "last");

	judge_equal_in(j, "kB", ONE_COMES_THE_OTHER_UNMAPS_LAST, "HugetlbPages of the first",
		       trial_reported(t, ONE_COMES_THE_OTHER_UNMAPS_LAST, "first"), page,
		       "HugetlbPages counts a page that the process faulted in");
	judge_fact_of(j, "hugetlb.HugetlbPages_of_who_unmaps_a_shared_table_last", -last, page,
		      "zero", "below zero", "otherwise");
}

CASE(hugetlb_shared_tables_unmapped) {
	.claim =
		"HugetlbPages should be 0 after a process has unmapped all hugetlb pages; on most kernels it falls below 0 (shown as almost 2^64 kB) if a shared page table mapped them",
	.because = "A process that gets a shared page table (huge_pmd_share()) takes no fault "
		   "for its pages, so HugetlbPages does not count them. After the other sharers "
		   "end, the table is no longer shared, and at munmap(2) "
		   "__unmap_hugepage_range() subtracts each page in it.",
	.said_by = SAID_BY("proc_pid_status(5), HugetlbPages"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map", map), STEP_AS(ONE_COMES_THE_OTHER_UNMAPS_LAST,
						 "share the table, be last to unmap", share)),
	.posts = POSTS(VIRT_OTHER(1)),
	.facts = FACTS(FACT("hugetlb.HugetlbPages_of_who_unmaps_a_shared_table_last",
			    "HugetlbPages of the last process to unmap a shared page table is",
			    "zero|below zero")),
	.judge = judge,
};
