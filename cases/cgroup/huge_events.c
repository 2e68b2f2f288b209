// SPDX-License-Identifier: MIT
/*
 * thp_fault_alloc and thp_collapse_alloc in memory.stat rise by one for each huge page, not by its
 * number of small pages.
 */
#include <rssck/case.h>

/* Before 5.13 each CPU keeps a batch of events. TIMES is more than that batch. */
enum { FEW = 4, TIMES = CGROUP_BATCH + FEW };
STEP_SYMBOLS(IN_A_CGROUP);

#define KHUGEPAGED "/sys/kernel/mm/transparent_hugepage/khugepaged/"

static void look(struct workload *w, const char *faults, const char *collapses)
{
	workload_cgroup_settle(w);
	workload_report(w, faults, workload_cgroup_events(w, "thp_fault_alloc"));
	workload_report(w, collapses, workload_cgroup_events(w, "thp_collapse_alloc"));
}

static int64_t fault(struct workload *w, char *p)
{
	int64_t huge = 0;

	madvise(p, w->huge_page_size, MADV_HUGEPAGE);
	for (int i = 0; i < TIMES; i++) {
		touch_write(w, p, 1);
		huge += workload_pages_present(w, p, (size_t)w->huge) == w->huge;
		workload_advise(w, p, w->huge_page_size, MADV_DONTNEED);
	}
	return huge;
}

static int64_t collapse(struct workload *w, char *p)
{
	int64_t done = 0;

	for (int i = 0; i < FEW; i++) {
		madvise(p, w->huge_page_size, MADV_NOHUGEPAGE);
		touch_write(w, p, (size_t)w->huge);
		madvise(p, w->huge_page_size, MADV_HUGEPAGE);
		done += madvise(p, w->huge_page_size, MADV_COLLAPSE) == 0;
		workload_advise(w, p, w->huge_page_size, MADV_DONTNEED);
	}
	return done;
}

/* Returns a number that rises with each scan and each huge page of khugepaged. */
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

/* Few collapses suffice: MADV_COLLAPSE exists since 6.1, and since 5.13 no CPU keeps a batch. */
static void judge(const struct trial *t, struct judgement *j)
{
	static const char fault[] = "memory.stat thp_fault_alloc",
			  collapse[] = "memory.stat thp_collapse_alloc";
	int64_t faulted = reported(t, "faulted"), collapsed = reported(t, "collapsed");
	int64_t rounds = reported(t, "khugepaged");
	/* A round of khugepaged that has not ended yet may have collapsed the page, too. */
	int64_t theirs = rounds > 0 ? rounds + 1 : 0;

	if (faulted < TIMES)
		judge_skip(j, "a huge page at each fault (huge pages are off, or memory is "
			      "fragmented)");
	judge_within(j, IN_A_CGROUP, 0, fault, reported(t, "faults") - reported(t, "faults before"),
		     faulted, CGROUP_BATCH,
		     "thp_fault_alloc rises by one for each fault that made a huge page");
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
	.claim =
		"In memory.stat thp_fault_alloc rises by one for each huge page that a fault makes, and thp_collapse_alloc for each that MADV_COLLAPSE makes",
	.because = "__do_huge_pmd_anonymous_page() and alloc_charge_folio() of khugepaged.c "
		   "count the event in the cgroup that is charged for the page.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat: thp_fault_alloc"),
	.needs = NEEDS("root", "thp"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay, .checks = 1)),
	.judge = judge,
};
