// SPDX-License-Identifier: MIT
/*
 * kswapd reclaims memory of all kinds in the background. Each line of meminfo, vmstat and zoneinfo
 * counts its pages after the reclaim, after the pages were read back, and after the process has
 * ended.
 */
#include "reclaim.h"

STEP_SYMBOLS(RECLAIM, READ_BACK);

/*
 * Sums of events: pages reclaimed or scanned, added up over the reclaimers and over the kinds of
 * pages.
 */
enum { RECLAIMED, RECLAIMED_BY_KIND, SCANNED, SCANNED_BY_KIND, SUMS, NO_SUM = SUMS };

static const char *const sums[SUMS] = { "reclaimed", "reclaimed by kind", "scanned",
					"scanned by kind" };

static const struct reclaim_event events[] = {
	{ "pgsteal_kswapd", RECLAIMED },
	{ "pgsteal_direct", RECLAIMED },
	{ "pgsteal_khugepaged", RECLAIMED },
	{ "pgsteal_proactive", RECLAIMED },
	{ "pgsteal_anon", RECLAIMED_BY_KIND },
	{ "pgsteal_file", RECLAIMED_BY_KIND },
	{ "pgscan_kswapd", SCANNED },
	{ "pgscan_direct", SCANNED },
	{ "pgscan_khugepaged", SCANNED },
	{ "pgscan_proactive", SCANNED },
	{ "pgscan_anon", SCANNED_BY_KIND },
	{ "pgscan_file", SCANNED_BY_KIND },
	{ "pageoutrun", NO_SUM },
	{ "kswapd_low_wmark_hit_quickly", NO_SUM },
	{ "kswapd_high_wmark_hit_quickly", NO_SUM },
	{ "kswapd_inodesteal", NO_SUM },
	{ "pgrotated", NO_SUM },
	{ "pgrefill", NO_SUM },
	{ "pgdeactivate", NO_SUM },
	{ "slabs_scanned", NO_SUM },
	{ "nr_vmscan_write", NO_SUM },
	{ "nr_vmscan_immediate_reclaim", NO_SUM },
};

enum { EVENTS = sizeof(events) / sizeof(*events) };

/*
 * Lets kswapd reclaim anonymous memory first, then page cache first. With swappiness 0 it may find
 * nothing, and the kernel wakes no kswapd that has failed 16 times.
 */
static int64_t churn_and_reclaim(const struct workload *w)
{
	int64_t old = workload_number(swappiness, NULL, 60);

	churn(w);
	/* Up to 5.7 the highest value is 100. */
	if (!workload_try_to_set_number(swappiness, 200))
		workload_try_to_set_number(swappiness, 100);
	let_kswapd_work(w, CHURN_PAGES);
	workload_try_to_set_number(swappiness, 1);
	let_kswapd_work(w, CHURN_PAGES / 4);
	workload_try_to_set_number(swappiness, old);
	return 0;
}

static int64_t read_back(const struct workload *w)
{
	churn_and_reclaim(w);
	read_swapped(w, "self");
	return 0;
}

static void audit(struct workload *w)
{
	int status = churn_audit(w, "machine", NULL);

	if (status)
		workload_skip(w,
			      "page frames that rssck machine can read (it exited with status %d)",
			      status);
}

static void report_events(struct workload *w, const int64_t *before, const int64_t *after)
{
	int64_t of[SUMS] = { 0 };

	for (size_t i = 0; i < EVENTS; i++)
		if (events[i].sum == NO_SUM)
			workload_report(w, events[i].name, after[i] - before[i]);
		else
			of[events[i].sum] += after[i] - before[i];
	if (!of[RECLAIMED])
		workload_skip(w, "memory that kswapd reclaims within a second");
	for (size_t i = 0; i < SUMS; i++)
		workload_report(w, sums[i], of[i]);
}

static void reclaim(struct workload *w)
{
	int64_t before[EVENTS], after[EVENTS];
	bool in_cgroup;
	pid_t pid;

	kswapd_must_not_kill(w);
	w->fd[CHURN_FILE] = workload_try_file_uncached(w, CHURN_PAGES);
	in_cgroup = reclaim_begins(w);
	events_at_rest(events, EVENTS, before);
	pid = workload_companion(w, w->argument ? read_back : churn_and_reclaim, NULL);
	events_at_rest(events, EVENTS, after);
	report_events(w, before, after);
	audit(w);
	reclaim_ends(w, pid, in_cgroup);
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	workload_report(w, "isolated", event("nr_isolated_anon") + event("nr_isolated_file"));
	if (w->argument)
		audit(w);
	workload_checked(w);
}

static void judge_step(const struct trial *t, struct judgement *j, unsigned s)
{
	int64_t reclaimed = trial_reported(t, s, sums[RECLAIMED]);

	judge_true(j, s, reclaimed > 0, "kswapd reclaims memory");
	judge_true(j, s, trial_reported(t, s, "pageoutrun") > 0,
		   "pageoutrun rises when kswapd begins to balance a node");
	for (size_t i = 0; i < EVENTS; i++)
		if (events[i].sum == NO_SUM)
			judge_true(j, s, trial_reported(t, s, events[i].name) >= 0,
				   "every reclaim event in vmstat stays the same or rises");
	judge_reported(t, j, s, "isolated", "pages that reclaim has isolated", 0,
		       "reclaim frees or puts back all pages that it isolated");
	judge_reported(t, j, s, sums[RECLAIMED_BY_KIND], "pgsteal_anon + pgsteal_file", reclaimed,
		       "each reclaimed page is anonymous or of a file");
	judge_reported(t, j, s, sums[SCANNED_BY_KIND], "pgscan_anon + pgscan_file",
		       trial_reported(t, s, sums[SCANNED]),
		       "each scanned page is anonymous or of a file");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_step(t, j, RECLAIM);
	judge_step(t, j, READ_BACK);
}

CASE(machine_kswapd) {
	.claim =
		"Lines of meminfo, vmstat and zoneinfo match the page frames in kpageflags after kswapd has reclaimed memory, after the memory is read back, and after its process has ended",
	.because =
		"kswapd takes pages off the lists, unmaps them, and frees them, writes them to "
		"swap or puts them back. Each of these updates counters of the zone, of the node "
		"and of the cgroup.",
	.said_by = SAID_BY("proc_meminfo(5)", "Documentation/admin-guide/sysctl/vm.rst"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_RECLAIMS,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(RECLAIM, "kswapd reclaims", reclaim, .checks = 1),
		       STEP_AS(READ_BACK, "kswapd reclaims, and the pages are read back", reclaim,
			       .argument = 1, .checks = 1)),
	.judge = judge,
};
