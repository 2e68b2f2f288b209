// SPDX-License-Identifier: MIT
/*
 * thp_fault_alloc and thp_collapse_alloc of a cgroup: one for each huge page, not for each of its
 * pages.
 */
#include <rssck/case.h>

/* More than one CPU holds back, on kernels where CPUs hold events back (5.10). */
enum { FEW = 4, TIMES = CGROUP_BATCH + FEW };
STEP_SYMBOLS(IN_A_CGROUP);

#define KHUGEPAGED "/sys/kernel/mm/transparent_hugepage/khugepaged/"

static void look(struct workload *w, const char *faults, const char *collapses)
{
	workload_cgroup_settle(w);
	workload_report(w, faults, workload_cgroup_events(w, "thp_fault_alloc"));
	workload_report(w, collapses, workload_cgroup_events(w, "thp_collapse_alloc"));
}

/* Faults in one huge page again and again; returns how often the page was huge. */
static int64_t fault(struct workload *w, char *p)
{
	int64_t huge = 0;

	madvise(p, w->huge_page_size, MADV_HUGEPAGE);
	for (int i = 0; i < TIMES; i++) {
		touch_write(w, p, 1);
		huge += workload_pages_present(w, p, (size_t)w->huge) == w->huge;
		workload_must(w, madvise(p, w->huge_page_size, MADV_DONTNEED), "MADV_DONTNEED");
	}
	return huge;
}

/* Collapses pages that were written one by one, as often as this kernel can. */
static int64_t collapse(struct workload *w, char *p)
{
	int64_t done = 0;

	for (int i = 0; i < FEW; i++) {
		madvise(p, w->huge_page_size, MADV_NOHUGEPAGE);
		touch_write(w, p, (size_t)w->huge);
		madvise(p, w->huge_page_size, MADV_HUGEPAGE);
		done += madvise(p, w->huge_page_size, MADV_COLLAPSE) == 0;
		workload_must(w, madvise(p, w->huge_page_size, MADV_DONTNEED), "MADV_DONTNEED");
	}
	return done;
}

/* How many rounds khugepaged has made, and how many huge pages. */
static int64_t khugepaged(void)
{
	return workload_number(KHUGEPAGED "full_scans", NULL, 0) +
	       workload_number(KHUGEPAGED "pages_collapsed", NULL, 0);
}

static void pay(struct workload *w)
{
	char *p = workload_huge_map(w, 1, -1);
	int64_t before = khugepaged();

	workload_cgroup_enter(w);
	look(w, "faults before", "collapses before");
	workload_report(w, "faulted", fault(w, p));
	look(w, "faults", "collapses");
	workload_report(w, "collapsed", collapse(w, p));
	look(w, "faults after", "collapses after");
	workload_report(w, "khugepaged", khugepaged() - before);
	workload_unmap(w, p, w->huge_page_size);
	workload_cgroup_leave(w);
	workload_checked(w);
}

static int64_t reported(const struct trial *t, const char *name)
{
	return trial_reported(t, IN_A_CGROUP, name);
}

/*
 * MADV_COLLAPSE (6.1) is newer than 5.12, which removed the per-CPU batches: a few huge pages are
 * enough.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	static const char fault[] = "memory.stat thp_fault_alloc",
			  collapse[] = "memory.stat thp_collapse_alloc";
	int64_t faulted = reported(t, "faulted"), collapsed = reported(t, "collapsed");
	int64_t rounds = reported(t, "khugepaged");
	/* khugepaged may meet the page once more, in a round that has not ended. */
	int64_t theirs = rounds > 0 ? rounds + 1 : 0;

	if (faulted < TIMES)
		judge_skip(j, "a huge page each time (switched off, or memory is fragmented)");
	judge_within(j, IN_A_CGROUP, 0, fault, reported(t, "faults") - reported(t, "faults before"),
		     faulted, CGROUP_BATCH,
		     "thp_fault_alloc rises by one for each fault that "
		     "made a huge page");
	judge_within(j, IN_A_CGROUP, 0, fault, reported(t, "faults after") - reported(t, "faults"),
		     0, CGROUP_BATCH, "thp_fault_alloc does not count collapses");
	judge_within(j, IN_A_CGROUP, 0, collapse,
		     reported(t, "collapses") - reported(t, "collapses before"), 0, theirs,
		     "thp_collapse_alloc does not count faults");
	judge_within(j, IN_A_CGROUP, 0, collapse,
		     reported(t, "collapses after") - reported(t, "collapses"), collapsed, theirs,
		     "thp_collapse_alloc rises by one for each huge page that MADV_COLLAPSE made");
}

CASE(cgroup_huge_events) {
	.claim = "thp_fault_alloc and thp_collapse_alloc in memory.stat count the huge pages that "
		 "faults and MADV_COLLAPSE made in the cgroup, each once",
	.because = "__do_huge_pmd_anonymous_page() and alloc_charge_folio() of khugepaged.c count "
		   "the event in the cgroup that the page is charged to.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat: thp_fault_alloc"),
	.needs = NEEDS("root", "thp"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay, .checks = 1)),
	.judge = judge,
};
