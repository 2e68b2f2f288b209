// SPDX-License-Identifier: MIT
/*
 * At a cgroup's limit the kernel reclaims page cache, even if it is dirty, mapped or active.
 * Without swap it cannot reclaim anonymous memory or tmpfs, and kills a process.
 */
#include "fill.h"

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };
STEP_SYMBOLS(UNDER_A_LIMIT);

enum { RSS = 3, ACTIVE_FILE = 4 };

static void report(struct workload *w, const char *what, const struct limited *l)
{
	const struct {
		const char *name;
		int64_t pages;
	} all[] = {
		{ "killed", l->killed },
		{ "current", l->current },
		{ "working set", l->current - l->inactive_file },
		{ "rss", l->rss },
		{ "active_file", l->active_file },
	};
	/*
	 * REPORTED_MAX leaves room for four numbers of each kind, so one of the five is left out.
	 */
	const size_t left_out = strcmp(what, "active") ? ACTIVE_FILE : RSS;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (i != left_out)
			workload_report_of(w, what, all[i].name, all[i].pages);
}

static void live_under_a_limit(struct workload *w)
{
	w->fd[FD] = workload_file(w, ASKED);
	workload_case_needs_writeback(w, w->fd[FD]);
	workload_cgroup_enter(w);
	workload_cgroup_set(w, "memory.swap.max", 0);
	workload_cgroup_set(w, "memory.max", LIMIT);
	for (size_t i = 0; i < KINDS; i++) {
		struct limited l;

		posix_fadvise(w->fd[FD], 0, 0, POSIX_FADV_DONTNEED);
		l = workload_limited(w, kinds[i].act);
		report(w, kinds[i].what, &l);
		workload_checked(w);
	}
	workload_cgroup_leave(w);
}

static int64_t reported(const struct trial *t, const char *what, const char *name)
{
	return trial_reported_of(t, UNDER_A_LIMIT, what, name);
}

/*
 * docker stats and kubectl top show the usage minus inactive_file, which Kubernetes calls the
 * working set. Tmpfs and active page cache stay in it.
 */
static void judge_working_set(const struct trial *t, struct judgement *j, bool is_active)
{
	bool tmpfs = reported(t, "tmpfs", "working set") > LIMIT / 2;
	bool active = is_active && reported(t, "active", "working set") > LIMIT / 4;

	judge_fact(j, "limit.working_set_counts", "%s",
		   tmpfs && active ? "tmpfs and active page cache"
		   : tmpfs         ? "tmpfs"
		   : active        ? "active page cache"
				   : "no page cache");
}

static void judge(const struct trial *t, struct judgement *j)
{
	bool is_active = reported(t, "active", "active_file") > LIMIT / 4;

	for (size_t i = 0; i < KINDS; i++) {
		int64_t killed = reported(t, kinds[i].what, "killed");
		char rule[96];

		/*
		 * Some kernels leave page cache on the inactive list when it is used again. Then no
		 * page cache is active, and its fact is not reported.
		 */
		if (is_active || strcmp(kinds[i].what, "active"))
			judge_fact(j, kinds[i].fact, "%s", killed ? "kills" : "is reclaimed");
		snprintf(
			rule, sizeof(rule),
			kinds[i].kills
				? "a process that fills the cgroup beyond memory.max (%s) is killed"
				: "at memory.max the kernel reclaims page cache (%s)",
			kinds[i].what);
		judge_true(j, UNDER_A_LIMIT, killed == kinds[i].kills, rule);
		judge_true(j, UNDER_A_LIMIT, reported(t, kinds[i].what, "current") <= LIMIT,
			   "memory.current is at most memory.max");
	}
	judge_fact(j, "limit.page_cache_used_again", "%s", is_active ? "active" : "inactive");
	judge_working_set(t, j, is_active);
	judge_true(j, UNDER_A_LIMIT, reported(t, "tmpfs", "rss") < LIMIT / 2,
		   "RSS is less than half of memory.max, although a tmpfs has filled the cgroup");
}

CASE(cgroup_limit) {
	.claim =
		"At a cgroup's memory.max the kernel reclaims page cache, whether clean, dirty, mapped or active. Without swap it cannot reclaim anonymous memory or tmpfs, and kills a process",
	.because = "try_charge_memcg() first reclaims memory, and calls mem_cgroup_oom() only if "
		   "repeated reclaim makes no room. Reclaim writes dirty pages back and "
		   "deactivates active and mapped ones. Anonymous pages and tmpfs can only go to "
		   "swap.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.max"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(UNDER_A_LIMIT, "under a limit", live_under_a_limit,
			       .checks = KINDS)),
	.facts = FACTS(
		FACT("limit.clean_page_cache", "At the limit of a cgroup, clean page cache",
		     "is reclaimed|kills"),
		FACT("limit.active_page_cache", "At the limit of a cgroup, active page cache",
		     "is reclaimed|kills"),
		FACT("limit.dirty_page_cache", "At the limit of a cgroup, dirty page cache",
		     "is reclaimed|kills"),
		FACT("limit.mapped_page_cache",
		     "At the limit of a cgroup, page cache that is mapped", "is reclaimed|kills"),
		FACT("limit.page_cache_used_again", "Page cache that is used a second time is",
		     "active|inactive"),
		FACT("limit.working_set_counts",
		     "The page cache that docker stats and kubectl top count is",
		     "no page cache|tmpfs|active page cache|tmpfs and active page cache"),
		FACT("limit.tmpfs", "At the limit of a cgroup without swap, a tmpfs", "kills"),
		FACT("limit.anonymous", "At the limit of a cgroup without swap, anonymous memory",
		     "kills")),
	.judge = judge,
};
