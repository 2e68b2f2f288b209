// SPDX-License-Identifier: MIT
/*
 * kswapd reclaims memory of all kinds in the background. Each line of the machine counts its pages
 * after it has reclaimed, after they were read back, and after the process has ended.
 */
#include "reclaim.h"

STEP_SYMBOLS(RECLAIM, READ_BACK);

/* What reclaim has scanned and reclaimed: by who did it, and by the kind of the page. */
static const struct {
	const char *name; /* in the report */
	const char *of[4];
} sums[] = {
	{ "reclaimed",
	  { "pgsteal_kswapd", "pgsteal_direct", "pgsteal_khugepaged", "pgsteal_proactive" } },
	{ "reclaimed by kind", { "pgsteal_anon", "pgsteal_file" } },
	{ "scanned",
	  { "pgscan_kswapd", "pgscan_direct", "pgscan_khugepaged", "pgscan_proactive" } },
	{ "scanned by kind", { "pgscan_anon", "pgscan_file" } },
};

enum { SUMS = sizeof(sums) / sizeof(*sums) };

/* Other events of reclaim: nobody takes one back. */
static const char *const rising[] = { "pageoutrun",
				      "kswapd_low_wmark_hit_quickly",
				      "kswapd_high_wmark_hit_quickly",
				      "kswapd_inodesteal",
				      "pgrotated",
				      "pgrefill",
				      "pgdeactivate",
				      "slabs_scanned",
				      "nr_vmscan_write",
				      "nr_vmscan_immediate_reclaim" };

enum { RISING = sizeof(rising) / sizeof(*rising) };

/* Refreshes first, because on 7.2.13 the CPUs hold back a part of these events. */
static void read_sums(int64_t of[SUMS])
{
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	for (size_t i = 0; i < SUMS; i++) {
		of[i] = 0;
		for (size_t k = 0; k < sizeof(sums[i].of) / sizeof(*sums[i].of); k++)
			of[i] += sums[i].of[k] ? event(sums[i].of[k]) : 0;
	}
}

/* Waits until kswapd has stopped: two readings agree. */
static void read_sums_at_rest(int64_t of[SUMS])
{
	struct patience p = { .seconds = 5 };
	int64_t again[SUMS];

	do {
		read_sums(of);
		read_sums(again);
	} while (memcmp(of, again, sizeof(again)) != 0 && workload_pause(&p));
}

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
		workload_skip(w, "page frames that rssck machine can read (it exited with %d)",
			      status);
}

static void reclaim(struct workload *w)
{
	int64_t before[SUMS], after[SUMS], then[RISING];
	bool in_cgroup;
	pid_t pid;

	w->fd[CHURN_FILE] = workload_try_file_uncached(w, CHURN_PAGES);
	keep_own_pages(w, true);
	in_cgroup = enter_cgroup(w);
	read_sums_at_rest(before);
	for (size_t i = 0; i < RISING; i++)
		then[i] = event(rising[i]);
	pid = workload_companion(w, w->argument ? read_back : churn_and_reclaim, NULL);
	read_sums_at_rest(after);
	if (after[0] == before[0])
		workload_skip(w, "memory that kswapd reclaims within a second");
	for (size_t i = 0; i < SUMS; i++)
		workload_report(w, sums[i].name, after[i] - before[i]);
	for (size_t i = 0; i < RISING; i++)
		workload_report(w, rising[i], event(rising[i]) - then[i]);
	audit(w);
	wake_kswapd_again(w, in_cgroup);
	workload_companion_ends(pid);
	if (in_cgroup)
		workload_cgroup_leave(w);
	workload_companion_ends(workload_companion(w, read_all_back, NULL));
	keep_own_pages(w, false);
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	workload_report(w, "isolated", event("nr_isolated_anon") + event("nr_isolated_file"));
	if (w->argument)
		audit(w);
	workload_checked(w);
}

static void judge_step(const struct trial *t, struct judgement *j, unsigned s)
{
	judge_true(j, s, trial_reported(t, s, "reclaimed") > 0, "kswapd reclaims memory");
	judge_true(j, s, trial_reported(t, s, "pageoutrun") > 0,
		   "pageoutrun counts how often kswapd began to balance a node");
	for (size_t i = 0; i < RISING; i++)
		judge_true(j, s, trial_reported(t, s, rising[i]) >= 0,
			   "an event of reclaim is never taken back");
	judge_reported(t, j, s, "isolated", "pages that reclaim has isolated", 0,
		       "reclaim has put back what it took off the lists");
	judge_reported(t, j, s, "reclaimed by kind", "pgsteal_anon + pgsteal_file",
		       trial_reported(t, s, "reclaimed"),
		       "each reclaimed page is anonymous or of a file");
	judge_reported(t, j, s, "scanned by kind", "pgscan_anon + pgscan_file",
		       trial_reported(t, s, "scanned"),
		       "each scanned page is anonymous or of a file");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_step(t, j, RECLAIM);
	judge_step(t, j, READ_BACK);
}

CASE(machine_kswapd) {
	.claim =
		"Each line of meminfo, vmstat and zoneinfo that rssck can compare counts the page frames of its kind after kswapd has reclaimed memory of all kinds, after the memory is read back, and after its process has ended",
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
