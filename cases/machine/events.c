// SPDX-License-Identifier: MIT
/*
 * Events of /proc/vmstat: a process performs an act, and each event that the act causes rises by at
 * least the expected number. Other processes may raise it further, but no event falls.
 */
#include "event_acts.h"

STEP_SYMBOLS(ACT);

enum { TRIES = 3, PAGES = 512, HUGE_MOST = 32 << 20 };

/*
 * `events`: "pgfree*1" must rise by 1 for each page of the act, "drop_slab=1" by exactly 1, and
 * "swap_ra" by 1 or more. "pswpin+zswpin" is a sum, of the events that the kernel prints.
 */
static const struct row {
	const char *name;
	int64_t (*act)(const struct workload *w);
	const char *events;
} rows[] = {
	{ "memory is written and freed", anon_here,
	  "pgalloc_dma+pgalloc_dma32+pgalloc_normal+pgalloc_high+pgalloc_movable*1 pgfree*1 pgfault*1 "
	  "numa_hit*1 numa_local*1" },
	{ "memory is locked and unlocked", anon_locked,
	  "unevictable_pgs_mlocked*1 unevictable_pgs_munlocked*1 unevictable_pgs_culled*1 "
	  "unevictable_pgs_rescued*1" },
	{ "memory of the other node is written", anon_there, "numa_hit*1 numa_other*1" },
	{ "memory of both nodes is written", anon_interleaved, "numa_interleave" },
	{ "memory that was shared with a child is written", anon_reused, "pgreuse*1" },
	{ "a mapped file that was read is written", file_reused, "pgreuse*1" },
	{ "a file is read by faults", file_faulted, "pgmajfault*1 pgpgin*4" },
	{ "a file is written and synced", file_synced, "pgpgout*4" },
	{ "a reclaimed file is read", file_refaulted,
	  "workingset_refault_file pgscan_file pgsteal_file" },
	{ "memory is paged out and read", anon_refaulted,
	  "pswpout+swpout_zero+zswpout*1 pswpin+swpin_zero+zswpin*1 workingset_refault_anon" },
	{ "memory is reclaimed", anon_taken, "pgscan_anon pgsteal_anon" },
	{ "memory is compressed and read", anon_unzipped, "zswpout zswpin" },
	{ "memory is read ahead from a swap file", anon_read_ahead, "swap_ra swap_ra_hit" },
	{ "merged pages are written", ksm_written, "cow_ksm*1" },
	{ "merged pages are paged out and read", ksm_refaulted, "ksm_swpin_copy" },
	{ "a process beyond memory.max is killed", child_killed, "oom_kill" },
	{ "memory is compacted", anon_compacted,
	  "compact_migrate_scanned compact_free_scanned compact_isolated" },
	{ "pinned memory does not migrate", pinned_stays, "pgmigrate_fail*1" },
	{ "a pinned huge page does not migrate", huge_pinned_stays,
	  "pgmigrate_fail thp_migration_fail" },
	{ "a pinned huge page is not split", huge_pinned_whole, "thp_split_page_failed" },
	{ "khugepaged finds an untouched page", huge_untouched, "thp_scan_exceed_none_pte" },
	{ "khugepaged finds a page on swap", huge_on_swap, "thp_scan_exceed_swap_pte" },
	{ "khugepaged finds a shared page", huge_shared, "thp_scan_exceed_share_pte" },
	{ "NUMA balancing moves memory", anon_balanced,
	  "numa_pte_updates numa_hint_faults numa_pages_migrated" },
	/* The kernel counts a huge page as small pages, and numa_huge_pte_updates huge pages. */
	{ "NUMA balancing moves a huge page", huge_balanced,
	  "numa_pte_updates*1 numa_huge_pte_updates numa_hint_faults numa_pages_migrated*1" },
	{ "huge pages are written and freed", huge_here,
	  "pgalloc_dma+pgalloc_dma32+pgalloc_normal+pgalloc_high+pgalloc_movable*1 pgfree*1 numa_hit" },
	{ "a pool of huge pages grows", pool_grown, "htlb_buddy_alloc_success*1" },
	{ "caches are dropped", caches_dropped, "drop_pagecache=1 drop_slab=1 slabs_scanned" },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

/* ---- settings, in the order in which they are restored ---- */

static struct {
	const char *path;
	int64_t was;
} settings[] = {
	{ KSM "pages_to_scan", -1 },
	{ KSM "sleep_millisecs", -1 },
	{ KSM "run", -1 },
	{ KHUGEPAGED "max_ptes_none", -1 },
	{ KHUGEPAGED "max_ptes_swap", -1 },
	{ KHUGEPAGED "max_ptes_shared", -1 },
	{ KHUGEPAGED "pages_to_scan", -1 },
	{ KHUGEPAGED "scan_sleep_millisecs", -1 },
	{ SWAP_AHEAD, -1 },
	{ POOL_SIZE, -1 },
};

enum { SETTINGS = sizeof(settings) / sizeof(*settings) };

/* Restored last: the kernel clears the events of nodes when this becomes 0. */
static int64_t numa_stat_was;

static void settings_restore(void)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (settings[i].was >= 0)
			workload_try_to_set_number(settings[i].path, settings[i].was);
}

static void restore(void)
{
	settings_restore();
	if (numa_stat_was >= 0)
		workload_try_to_set_number(NUMA_STAT, numa_stat_was);
	swapoff(load_area.name);
	unlink(load_area.name);
}

/* ---- events ---- */

/* Reads vmstat after each CPU has added its pending counts. The caller frees the text. */
static char *events_read(struct workload *w)
{
	char *text;

	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	text = strdup(ledger_slurp("/proc/vmstat"));
	if (!text || !*text)
		workload_die(w, "/proc/vmstat: %m");
	return text;
}

/* The kernel prints a number below 0 as one near 2^64. */
static int64_t event_number(const char *text)
{
	return (int64_t)strtoull(text, NULL, 10);
}

static int64_t event_value(const char *text, const char *name, size_t len)
{
	while (strncmp(text, name, len) || text[len] != ' ') {
		text = strchr(text, '\n');
		if (!text++)
			return -1;
	}
	return event_number(text + len);
}

/* Adds up by how much the events of a sum rose. Returns false if the kernel prints none of them. */
static bool event_rose(const char *before, const char *after, const char *sum, int64_t *rose)
{
	bool printed = false;
	size_t len;

	*rose = 0;
	for (; (len = strcspn(sum, "+*= ")); sum += len + (sum[len] == '+')) {
		int64_t was = event_value(before, sum, len);

		if (was >= 0)
			*rose += event_value(after, sum, len) - was;
		printed |= was >= 0;
		if (sum[len] != '+')
			break;
	}
	return printed;
}

struct wrong {
	char name[72];
	int64_t rose, least;
	bool exact; /* must rise by `least`, not more */
};

static bool is_wrong(struct wrong *o, const char *name, size_t len, int64_t rose, int64_t least,
		     bool exact)
{
	snprintf(o->name, sizeof(o->name), "%.*s", (int)len, name);
	o->rose = rose;
	o->least = least;
	o->exact = exact;
	return true;
}

static bool rose_too_few(const char *before, const char *after, const char *events, int64_t pages,
			 struct wrong *o)
{
	for (const char *at = events; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, "*= ");
		int64_t n = at[len] && at[len] != ' ' ? strtoll(at + len + 1, NULL, 10) : 1, rose;

		n *= at[len] == '*' ? pages : 1;
		if (event_rose(before, after, at, &rose) &&
		    (rose < n || (at[len] == '=' && rose > n)))
			return is_wrong(o, at, len, rose, n, at[len] == '=');
		at += strcspn(at, " ");
	}
	return false;
}

/* Pages are isolated only while the kernel works on them. */
static bool stays(const char *name)
{
	return !strcmp(name, "nr_isolated_anon") || !strcmp(name, "nr_isolated_file");
}

/* Returns true if an event fell or is below 0, or if pages stay isolated. */
static bool one_fell(const char *before, const char *after, struct wrong *o)
{
	for (const char *at = after; at; at = strchr(at, '\n'), at += !!at) {
		size_t len = strcspn(at, " \n");
		int64_t is = event_number(at + len);
		int64_t rose = is < 0 ? is : is - event_value(before, at, len);

		if (!len || !rose)
			continue;
		is_wrong(o, at, len, rose, 0, false);
		o->exact = stays(o->name);
		if (o->exact || (rose < 0 && ledger_is_event(o->name, true)))
			return true;
	}
	return false;
}

/* The row whose act the next process performs, in the cgroup. */
static const struct row *row_now;

static int64_t act_in_cgroup(const struct workload *w)
{
	set_limit("cgroup.procs", "0");
	return row_now->act(w);
}

/*
 * Makes a cgroup for the acts. The workload itself leaves it, so that its own pages are not
 * reclaimed.
 */
static bool cgroup_make(struct workload *w)
{
	char home[384], path[448];

	if (access("/sys/fs/cgroup/cgroup.controllers", F_OK) ||
	    !workload_own_cgroup(NULL, home, sizeof(home)))
		return false;
	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cgroup.procs", home);
	ledger_enter(w);
	workload_set(w, path, "0");
	return true;
}

static bool act_once(struct workload *w, const struct row *row, struct wrong *o, bool *wrong)
{
	char *before = events_read(w), *after;
	int64_t pages;

	row_now = row;
	workload_companion_ends(workload_companion(w, act_in_cgroup, &pages));
	settings_restore();
	after = events_read(w);
	*wrong = pages > 0 &&
		 (rose_too_few(before, after, row->events, pages, o) || one_fell(before, after, o));
	free(before);
	free(after);
	return pages > 0;
}

/* Fails if an event is wrong each time. Returns true if the act is possible. */
static bool act(struct workload *w, const struct row *row)
{
	struct wrong o;
	bool wrong = true, possible = true;

	for (int i = 0; i < TRIES && possible && wrong; i++)
		possible = act_once(w, row, &o, &wrong);
	if (possible && wrong)
		workload_fail(w, "%s: %s changed by %" PRId64 ", should change by %" PRId64 "%s",
			      row->name, o.name, o.rose, o.least, o.exact ? "" : " or more");
	return possible;
}

static void act_all(struct workload *w)
{
	bool has_cgroup;
	char name[WORKLOAD_NAME];
	struct workload_guard g;
	int64_t possible = 0;

	/* With pages of 64 KiB a huge page may have 512 MiB; then no act uses huge pages. */
	w->number[LOAD_PAGES] = w->huge && w->huge_page_size <= HUGE_MOST ? w->huge : PAGES;
	w->fd[LOAD_FILE] = workload_try_file_uncached(w, load_pages(w));
	snprintf(load_area.name, sizeof(load_area.name), "/ext4/%s", workload_name(w, name));
	for (size_t i = 0; i < SETTINGS; i++)
		settings[i].was = workload_number(settings[i].path, NULL, -1);
	numa_stat_was = workload_number(NUMA_STAT, NULL, -1);
	g = workload_guard_begin(w, restore);
	workload_try_to_set(NUMA_STAT, "1");
	has_cgroup = cgroup_make(w);
	for (size_t i = 0; i < ROWS; i++)
		possible += act(w, &rows[i]);
	if (has_cgroup)
		workload_cgroup_leave(w);
	workload_guard_end(w, &g);
	workload_report(w, "acts", possible);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, ACT, "acts") <= ROWS / 4)
		judge_skip(j, "a machine on which more than a quarter of the acts are possible");
}

CASE(machine_events) {
	.claim =
		"Event counters of /proc/vmstat, such as pgfault, pswpin and pgsteal_anon, rise by at least the number of events that a program causes, and none falls",
	.because = "count_vm_event(), __count_numa_event() and mod_node_page_state() count an "
		   "event where it happens. No act lowers an event count, so it is at least the "
		   "number of events caused.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst, thp_fault_alloc",
			   "Documentation/admin-guide/numastat.rst"),
	.needs = NEEDS("root", "guest"),
	/* Reclaim may replace the workload's own pages of zeroes with the zero page. */
	.flags = CASE_THP | CASE_ONE_CPU | CASE_RECLAIMS | CASE_KEEPS_MEMORY,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ACT, "act", act_all, .checks = 1, .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
