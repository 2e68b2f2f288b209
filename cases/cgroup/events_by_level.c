// SPDX-License-Identifier: MIT
/*
 * A process in the innermost of three cgroups runs into each limit, set in turn at its own cgroup,
 * the parent and the grandparent: exactly the lines of event files that should rise do so, in
 * exactly the files that should show them, and exactly these files are notified.
 */
#include "limits.h"
#include <limits.h>
#include <rssck/panics.h>

STEP_SYMBOLS(EVERYWHERE, LOCAL);

/* ---- what must have happened ---- */

static bool is_of(const char *file, const char *controller)
{
	char name[FILE_NAME];
	size_t length = strlen(tree_name(controller, name));

	return !strncmp(file, name, length) && !strncmp(file + length, ".events", 7);
}

/* Does an event that is counted in the cgroup `where` appear in this file of `node`? */
static bool appears(const char *file, size_t node, size_t where)
{
	bool memory = !strncmp(file, "memory.", 7), pids = !strncmp(file, "pids.", 5);
	bool local = tree_is_local(file) || (memory && at.local_memory) || (pids && at.local_pids);

	return local ? node == where : node <= where;
}

static int64_t expected(const char *file, size_t node, const char *line)
{
	for (const struct count *c = at.row->counts; c->line; c++) {
		bool forking = !strcmp(c->controller, "pids") && at.local_pids;
		size_t where = c->at == AT_PROCESS || forking ? INNER : at.level;

		if (is_of(file, c->controller) && !strcmp(line, c->line))
			return appears(file, node, where)
				       ? (c->times == REFUSED ? at.shared->refused : c->times)
				       : 0;
	}
	return 0;
}

/*
 * With pids_localevents, pids_event() of some kernels (6.12.43, 6.16.12 to 7.1.13) notifies
 * pids.events.local, and not pids.events, which shows the same number; 6.12.118 and 7.2.13 notify
 * both.
 */
static void judge_notified(const struct event_file *f, size_t node, bool changed)
{
	bool maybe = at.option_pids && !strcmp(f->name, "pids.events");
	bool notified = tree_notified(f, node, !changed ? 0 : (maybe ? 1 : WAIT_S) * 1000);

	if (maybe && changed)
		at.unnotified |= !notified;
	else if (notified != changed)
		tree_wrong("%s of %s %s, but poll(2) says %s", f->name, nodes[node],
			   changed ? "has changed" : "has not changed",
			   changed ? "nothing" : "that it has");
}

static void judge_events(tree_events before)
{
	static tree_events after;

	tree_read_events(after);
	for (size_t f = 0; f < tree.files; f++)
		for (size_t n = 0; n < NODES; n++)
			judge_notified(&tree.of[f], n,
				       tree_judge_lines(&tree.of[f], n, before[f][n], after[f][n],
							expected));
}

static int64_t batches(void)
{
	return tree_batches() * (int64_t)at.page;
}

/*
 * Returns the first usage that is wrong, or USAGES. What the innermost cgroup uses, its ancestors
 * use, too, and nobody else. The ancestors pay for structures of cgroups, too, in advance.
 */
static size_t usage_wrong(tree_usages before, tree_usages now)
{
	for (size_t u = 0; u < USAGES; u++)
		for (size_t n = 0; n < NODES; n++) {
			int64_t rise = n <= INNER ? now[INNER][u] - before[INNER][u] : 0;
			int64_t off = now[n][u] - before[n][u] - rise;

			if (llabs(off) > (n <= INNER && u == USE_MEMORY ? batches() : 0))
				return u;
		}
	return USAGES;
}

static size_t usage_wrong_at_limit(tree_usages before, tree_usages now)
{
	const int64_t sizes[] = { (int64_t)at.page, (int64_t)at.huge, 1 };
	const struct row *r = at.row;
	int64_t missing;
	size_t u = 0;

	while (strcmp(usages[u], r->usage) != 0)
		u++;
	/* The limit is lifted before the process answers; then the CPU may charge a batch. */
	if (r->holds == SEVERAL && now[at.level][u] > at.shared->limit + CGROUP_BATCH * sizes[PAGE])
		return u;
	/* A CPU may have kept freed slots of swap (up to 6.14), and freed them now. */
	missing = r->holds * sizes[r->in] - (now[INNER][u] - before[INNER][u]);
	if (r->holds != SEVERAL &&
	    (missing < 0 || missing > (u == USE_SWAP ? before[INNER][u] : 0)))
		return u;
	return usage_wrong(before, now);
}

/*
 * Each CPU may have a batch charged in advance, and slots of swap that were freed. The swap cache
 * may keep nodes of its tree.
 */
static size_t usage_wrong_at_end(tree_usages before, tree_usages now)
{
	for (size_t u = 0; u < USAGES; u++)
		if (now[INNER][u] > (u == USE_MEMORY || u == USE_SWAP ? batches() : 0))
			return u;
	return usage_wrong(before, now);
}

/* The kernel frees some of what a process had after the process has ended. */
static void judge_usages(tree_usages before, const char *when,
			 size_t (*wrong)(tree_usages before, tree_usages now))
{
	struct patience p = { .seconds = WAIT_S };
	tree_usages now;
	size_t u;

	do {
		if (wrong == usage_wrong_at_end)
			tree_drain(INNER);
		tree_read_usages(now);
	} while ((u = wrong(before, now)) < USAGES && workload_pause(&p));
	if (u < USAGES)
		tree_wrong("%s, %s of a/b/c, a/b, a, a/b/d and a/e is %" PRId64 ", %" PRId64
			   ", %" PRId64 ", %" PRId64 ", %" PRId64 "; it was %" PRId64 ", %" PRId64
			   ", %" PRId64,
			   when, usages[u], now[INNER][u], now[MIDDLE][u], now[OUTER][u],
			   now[BESIDE_INNER][u], now[BESIDE_MIDDLE][u], before[INNER][u],
			   before[MIDDLE][u], before[OUTER][u]);
}

/* ---- one row ---- */

static bool is_possible(const struct row *r)
{
	int64_t swap = workload_number("/proc/meminfo", "SwapFree", 0) * 1024;

	if (r->need == SWAP)
		return swap > 4 * LOAD * (int64_t)at.page &&
		       workload_number("/proc/sys/vm/swappiness", NULL, 0) > 0;
	if (r->need == HUGETLB)
		return workload_number("/proc/meminfo", "HugePages_Free", 0) -
			       workload_number("/proc/meminfo", "HugePages_Rsvd", 0) >
		       1;
	return r->need != CLONE_INTO || (clone_into_cgroup(INT_MAX) < 0 && errno == EBADF);
}

/*
 * Runs in a process that nobody kills, and of whose own memory nothing is charged or paged out. At
 * its limit it could not answer.
 */
static int64_t run_load(const struct workload *w)
{
	int64_t error;

	(void)w;
	at.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (!workload_try_to_set("/proc/self/oom_score_adj", "-1000") || mlockall(MCL_CURRENT))
		return errno;
	if ((!at.row->outside && !tree_join(INNER)) || !set_limit(at.row->room))
		return errno;
	error = at.row->load();
	return pwrite(at.limit, "max", 3, 0) == 3 ? error : errno;
}

static void try_row(void)
{
	static tree_events events;
	tree_usages usage;
	int64_t error;
	pid_t pid;

	memset(at.shared, 0, sizeof(*at.shared));
	tree_drain(INNER);
	tree_read_usages(usage);
	tree_read_events(events);
	tree_watch_events();
	pid = workload_companion(tree.w, run_load, &error);
	if (error)
		tree_wrong("%s", error == NOT_AS_EXPECTED ? "the kernel refuses too little"
							  : strerror((int)error));
	judge_events(events);
	judge_usages(usage, "at the limit", usage_wrong_at_limit);
	workload_companion_ends(pid);
	close(at.limit);
	close(at.usage);
	judge_usages(usage, "at the end", usage_wrong_at_end);
}

/* Returns false if this machine lacks what the row needs. */
static bool try_at_level(void)
{
	at.limit = tree_open(at.level, at.row->limit, O_WRONLY);
	at.usage = tree_open(at.level, at.row->usage, O_RDONLY);
	if (at.limit >= 0 && at.usage >= 0 && is_possible(at.row)) {
		try_row();
		return true;
	}
	close(at.limit);
	close(at.usage);
	return false;
}

/* Returns how many were possible. */
static size_t try_rows(size_t from, size_t to)
{
	size_t tried = 0;

	for (at.row = rows; at.row < rows + ROWS; at.row++)
		for (at.level = from; at.level <= to; at.level++) {
			tried += try_at_level();
			if (*tree.wrong)
				return tried;
		}
	return tried;
}

static void try_levels(struct workload *w, size_t from, size_t to)
{
	size_t tried;
	bool pids;

	if (workload_oom_panics())
		workload_skip(w, OOM_PANICS);
	at.page = w->page_size;
	at.huge = workload_hugetlb_bytes();
	at.shared = workload_map_pages(w, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				       -1);
	tree_make(w);
	at.into = tree_open(INNER, "", O_RDONLY | O_DIRECTORY);
	at.local_memory = tree_has_option("memory_localevents");
	at.option_pids = tree_has_option("pids_localevents");
	at.local_pids = at.option_pids || tree_number(INNER, "pids.events.local", "max") < 0;
	pids = tree_number(INNER, "pids.events", "max") >= 0;
	tried = try_rows(from, to);
	close(at.into);
	tree_remove();
	workload_unmap(w, at.shared, at.page);
	if (*tree.wrong)
		workload_fail(w, "%s at %s: %s", at.row->name, nodes[at.level], tree.wrong);
	if (!tried)
		workload_skip(w, "a cgroup v2 with limits");
	workload_report(w, "local", pids ? at.local_pids : -1);
	workload_report(w, "notified", at.option_pids ? !at.unnotified : -1);
	workload_checked(w);
}

static void each_level(struct workload *w)
{
	try_levels(w, OUTER, INNER);
}

/* pids_localevents exists since 6.11. */
static void only_local(struct workload *w)
{
	struct workload_guard g;

	tree_note_options();
	g = workload_guard_begin(w, tree_restore_options);
	if (!(tree_remount("memory_localevents,pids_localevents", true) ||
	      tree_remount("memory_localevents", true)) ||
	    !tree_has_option("memory_localevents")) {
		workload_guard_end(w, &g);
		workload_skip_step(w, "the mount option memory_localevents");
	}
	try_levels(w, MIDDLE, MIDDLE);
	workload_guard_end(w, &g);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t local = trial_reported_or(t, EVERYWHERE, "local", -1);

	if (local >= 0)
		judge_fact(j, "pids.events.counted_in", "%s",
			   local ? "the process's cgroup" : "the limit's cgroup");
	if (trial_reported_or(t, LOCAL, "notified", -1) >= 0)
		judge_yes_no(j, "pids.events.notified_with_localevents",
			     trial_reported(t, LOCAL, "notified"));
}

CASE(cgroup_events_by_level) {
	.claim =
		"At each limit (memory.max, memory.high, memory.swap.max, memory.swap.high, hugetlb, pids), at whichever level it is, exactly one cgroup counts the event: the limit's, or for memory.swap.max, oom_kill and hugetlb the process's; its ancestors show it, too, *.events.local does not, and exactly the changed files are notified",
	.because =
		"memcg_memory_event(), hugetlb_event() and pids_event() add to the local counter "
		"of one cgroup, then to the counters of it and its ancestors. try_charge_memcg() "
		"names the cgroup whose limit is exceeded, __mem_cgroup_try_charge_swap() and "
		"hugetlb_cgroup_charge_cgroup() that which is charged.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.events",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.swap.events",
			   "Documentation/admin-guide/cgroup-v2.rst, hugetlb.<hugepagesize>.events",
			   "Documentation/admin-guide/cgroup-v2.rst, pids.events",
			   "Documentation/admin-guide/cgroup-v2.rst, memory_localevents"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(EVERYWHERE, "each limit at each level", each_level, .checks = 1),
		       STEP_AS(LOCAL, "with the mount options *_localevents", only_local,
			       .checks = 1)),
	.facts = FACTS(
		FACT("pids.events.counted_in",
		     "A fork that fails at pids.max of an outer cgroup is counted in",
		     "the limit's cgroup|the process's cgroup"),
		FACT("pids.events.notified_with_localevents",
		     "With the mount option pids_localevents, does poll(2) report a change of pids.events?",
		     "yes|no")),
	.judge = judge,
};
