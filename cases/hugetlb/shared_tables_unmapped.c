// SPDX-License-Identifier: MIT
/* The last process to unmap a shared hugetlb page table subtracts pages that it never added. */
#include "shared_table.h"
#include <poll.h>

enum { REGION = 0, BYTES = 0, SPAN = 1, FIRST = 2 };
STEP_SYMBOLS(ONE_COMES_THE_OTHER_UNMAPS_LAST);

static int64_t hugetlb_kb(void)
{
	return workload_number("/proc/self/status", "HugetlbPages", INT64_MIN);
}

static void map(struct workload *w)
{
	w->number[SPAN] = (int64_t)shared_table_map(w, REGION, &w->number[BYTES]);
}

/* The child maps the page by a fault, which counts it. */
static int64_t come_first(const struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	return hugetlb_kb();
}

/* Kills it; wait4(2) returns after its memory is freed. */
static bool end(pid_t pid)
{
	struct pollfd p = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };

	return p.fd >= 0 && kill(pid, SIGKILL) == 0 && poll(&p, 1, -1) == 1;
}

/*
 * Shares the first process's page table, if the kernel does that; is then its only user, and unmaps
 * it.
 */
static int64_t go_last(const struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	if (!end((pid_t)w->number[FIRST]) || munmap(w->slot[REGION], (size_t)w->number[SPAN]) < 0)
		return INT64_MIN;
	return hugetlb_kb();
}

/* In processes of their own: a wrong count stays wrong as long as the process lives. */
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
		       "a page that a process has faulted in is counted");
	judge_fact(j, "hugetlb.HugetlbPages_of_who_unmaps_a_shared_table_last", "%s",
		   last == 0       ? "zero"
		   : last == -page ? "below zero"
				   : "otherwise");
}

CASE(hugetlb_shared_tables_unmapped) {
	.claim = "HugetlbPages is zero when nothing is mapped any more; on most kernels it is "
		 "negative (shown as 2^64 less a page) if the page was mapped by a shared page "
		 "table",
	.because = "A process that finds an entry in a page table that it shares "
		   "(huge_pmd_share()) takes no fault, so nothing is added. When the other "
		   "sharers have ended, the table is no longer shared at munmap(2), and "
		   "__unmap_hugepage_range() subtracts each page that it maps.",
	.said_by = SAID_BY("proc_pid_status(5), HugetlbPages"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map", map), STEP_AS(ONE_COMES_THE_OTHER_UNMAPS_LAST,
						 "one comes, the other unmaps last", share)),
	.posts = POSTS(VIRT_OTHER(1)),
	.facts = FACTS(FACT("hugetlb.HugetlbPages_of_who_unmaps_a_shared_table_last",
			    "HugetlbPages of the process that unmaps a shared page table last is",
			    "zero|below zero")),
	.judge = judge,
};
