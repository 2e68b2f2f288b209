// SPDX-License-Identifier: MIT
/* Checks whether kswapd swaps anonymous memory when vm.swappiness is 0 and page cache is short. */
#include "reclaim.h"

STEP_SYMBOLS(ZERO, HUNDRED);

enum { PAGES = 8 * CHURN_PAGES };

/*
 * Reading memory.stat adds up what each CPU holds back. Otherwise inactive_is_low() of the classic
 * lists may miss the new pages for up to two seconds (FLUSH_TIME), and prepare_scan_control() then
 * does not take page cache to be short.
 */
static void flush_cgroup_totals(void)
{
	if (workload_read_text("/sys/fs/cgroup/memory.stat", workload_buffer, WORKLOAD_BUFFER) < 0)
		workload_read_text("/sys/fs/cgroup/memory/memory.stat", workload_buffer,
				   WORKLOAD_BUFFER);
}

/*
 * Touches anonymous memory, and lets kswapd reclaim until it takes anonymous memory or finds no
 * more. kswapd may take page cache first: prepare_scan_control() waits until little page cache is
 * left, and until no anonymous memory has been read from swap since the last reclaim.
 */
static int64_t reclaim_anon(const struct workload *w)
{
	int64_t anon = event("pgsteal_anon"), before;
	char *p = churn_map(w, PAGES, MAP_PRIVATE, -1);

	churn_write(w, p, PAGES);
	flush_cgroup_totals();
	do {
		before = event("pgsteal_kswapd");
		let_kswapd_work(w, CHURN_PAGES);
	} while (event("pgsteal_anon") - anon < CHURN_PAGES && event("pgsteal_kswapd") > before);
	return 0;
}

static void reclaim(struct workload *w)
{
	static const struct reclaim_event reclaimed = { "pgsteal_anon", 0 };
	int64_t old = workload_number(swappiness, NULL, 60), before, after;
	bool in_cgroup;
	pid_t pid;

	kswapd_must_not_kill(w);
	if (workload_number("/proc/meminfo", "SwapFree", 0) * 1024 < PAGES * (int64_t)w->page_size)
		workload_skip(w, "free swap of %zu kB", PAGES * w->page_size / 1024);
	/* With little free memory the OOM killer may act at swappiness 0. */
	if (workload_number("/proc/meminfo", "MemFree", 0) <
	    workload_number("/proc/meminfo", "MemTotal", 0) / 4)
		workload_skip(w, "a quarter of the memory free");
	in_cgroup = reclaim_begins(w);
	events_at_rest(&reclaimed, 1, &before);
	workload_try_to_set_number(swappiness, w->argument);
	pid = workload_companion(w, reclaim_anon, NULL);
	workload_try_to_set_number(swappiness, old);
	events_at_rest(&reclaimed, 1, &after);
	reclaim_ends(w, pid, in_cgroup);
	workload_report(w, "swapped", after - before);
	if (w->argument && after == before)
		workload_skip(w, "a kswapd that reclaims anonymous memory at swappiness 100");
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, HUNDRED, trial_reported(t, HUNDRED, "swapped") > 0,
		   "at swappiness 100 kswapd swaps anonymous memory");
	/* Other processes may free a few anonymous pages that need no swap. */
	judge_fact(j, "reclaim.swaps_at_swappiness_0", "%s",
		   trial_reported(t, ZERO, "swapped") > trial_reported(t, HUNDRED, "swapped") / 4
			   ? "yes"
			   : "no");
}

CASE(machine_swappiness_zero) {
	.claim =
		"kswapd swaps anonymous memory at vm.swappiness 100. At 0, when free memory and page cache together are below the zones' high watermarks, only some kernels do so",
	.because =
		"get_scan_count() reclaims anonymous memory at 0 if little page cache is left. lru_gen has no such rule: with swappiness 0 it reclaims page cache only, and the OOM killer acts when there is none.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/vm.rst, swappiness"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_RECLAIMS,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(ZERO, "kswapd reclaims at swappiness 0", reclaim, .argument = 0,
			       .checks = 1),
		       STEP_AS(HUNDRED, "kswapd reclaims at swappiness 100", reclaim,
			       .argument = 100, .checks = 1)),
	.facts = FACTS(FACT("reclaim.swaps_at_swappiness_0",
			    "Does kswapd swap at vm.swappiness 0, when page cache is short?",
			    "yes|no")),
	.judge = judge,
};
