// SPDX-License-Identifier: MIT
/*
 * When merged pages are read back from swap, each page becomes a copy that the cgroup is charged
 * for.
 */
#include "../ksm/rounds.h"

/* By default KSM merges at most 256 pages into one (max_page_sharing). */
enum { PAGES = 240, WAIT_S = 15, SLACK = CGROUP_BATCH };
STEP_SYMBOLS(IN_A_CGROUP);

static char *merge(struct workload *w)
{
	char *p = workload_anonymous(w, PAGES);
	struct patience patience = { .seconds = WAIT_S };

	ksm_write_alike(w, p, PAGES);
	workload_advise(w, p, PAGES * w->page_size, MADV_MERGEABLE);
	while (workload_pages_private(w, p))
		if (!workload_pause(&patience))
			workload_skip_step(w, "a ksmd that merges %d pages in %d s", PAGES, WAIT_S);
	return p;
}

/*
 * Reclaims the whole cgroup, because MADV_PAGEOUT skips shared pages. Retries, because 6.1 returns
 * EAGAIN for about a second after a merge. Returns false if memory.reclaim does not exist.
 */
static bool page_out(struct workload *w, const char *p)
{
	struct patience patience = { .seconds = WAIT_S };

	do
		if (!workload_cgroup_write(w, "memory.reclaim", "8M") && errno == ENOENT)
			return false;
	while (workload_pages_swapped(w, p, PAGES) < PAGES && workload_pause(&patience));
	return true;
}

static void pay(struct workload *w)
{
	int64_t empty, merged;
	char *p;

	workload_cgroup_enter(w);
	empty = workload_cgroup_stat(w, "anon");
	p = merge(w);
	workload_set(w, KSM "run", "0");
	merged = workload_cgroup_stat(w, "anon");
	workload_report(w, "reclaims", page_out(w, p));
	if (workload_cgroup_empties_swap_cache(w))
		workload_report(w, "swapped", workload_pages_swapped(w, p, PAGES));
	touch_read(w, p, PAGES);
	workload_report(w, "back", workload_cgroup_stat(w, "anon") - empty);
	workload_report(w, "private", workload_pages_private(w, p));
	workload_report(w, "merged", merged - empty);
	workload_set(w, KSM "run", "1");
	workload_unmap(w, p, PAGES * w->page_size);
	workload_cgroup_leave(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, IN_A_CGROUP, "reclaims") <= 0)
		return judge_skip(j, "memory.reclaim (Linux 5.19)");
	if (trial_reported_or(t, IN_A_CGROUP, "swapped", -1) != PAGES)
		return judge_skip(j, "memory.reclaim that pages out merged pages within %d s",
				  WAIT_S);
	judge_true(j, IN_A_CGROUP, trial_reported(t, IN_A_CGROUP, "private") > PAGES / 2,
		   "merged pages become copies when they are read back from swap");
	judge_within(j, IN_A_CGROUP, 0, "memory.stat anon", trial_reported(t, IN_A_CGROUP, "back"),
		     PAGES, SLACK, "the cgroup is charged for each copy");
}

CASE(cgroup_ksm_swapped) {
	.claim = "When merged pages of KSM are swapped out and read back, each becomes a "
		 "separate copy, and the cgroup is charged for each copy",
	.because = "All entries of a merged page refer to one swap slot. The first fault maps "
		   "the page that was read. For each later fault ksm_might_need_to_copy() copies "
		   "this page and charges the copy.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat",
			   "Documentation/admin-guide/mm/ksm.rst"),
	.needs = NEEDS("ksm", "swap", "guest"),
	.limit_s = 60,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.judge = judge,
};
