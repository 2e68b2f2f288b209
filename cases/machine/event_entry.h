// SPDX-License-Identifier: MIT
/*
 * Double entry of events: a load raises the events that its act is made of, by its pages, and no
 * others; and the files agree about them.
 */
#ifndef CASES_MACHINE_EVENT_ENTRY_H
#define CASES_MACHINE_EVENT_ENTRY_H

#include "ledger.h"

/*
 * Whether acts on memory raise it, and nothing else in a quiet machine. Others are raised by what
 * the machine does beside a load, or are new: 7.3 has nrswpin.
 */
static inline bool event_is_of_acts(const struct ledger_line *line, const char *key)
{
	static const char *const starts[] = {
		"pgfault",        "pgmajfault",     "pgscan",         "pgsteal",
		"pgrefill",       "pgactivate",     "pgdeactivate",   "pglazyfree",
		"pgmigrate_",     "pswp",           "htlb_",          "unevictable_pgs_",
		"thp_fault_",     "thp_file_",      "thp_split_page", "thp_split_pmd",
		"thp_deferred_",  "thp_migration_", "thp_swpout",     "nr_dirtied",
		"nr_written",     "nr_vmscan_",     "workingset_ref", "workingset_act",
		"workingset_res",
	};

	if (!strncmp(line->name, "thp.", 4))
		return true;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(key, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* An event of huge pages that a memfd may have. */
static inline bool event_is_of_huge_shmem(const struct ledger_line *line, const char *key)
{
	return line->huge && strncmp(key, "thp_fault_", 10) && strncmp(key, "anon_", 5);
}

static inline bool shmem_may_be_huge(const struct workload *w)
{
	const char *all = ledger_slurp("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
	char path[128];

	if (*all && !strstr(all, "[never]") && !strstr(all, "[deny]"))
		return true;
	snprintf(path, sizeof(path),
		 "/sys/kernel/mm/transparent_hugepage/hugepages-%zukB/shmem_enabled",
		 w->huge_page_size / 1024);
	all = ledger_slurp(path);
	return *all && !strstr(all, "[never]") && !strstr(all, "[inherit]");
}

/* What reclaim for a cgroup counts in memory.stat alone, or under another name. */
static inline bool event_is_of_reclaim(const char *key)
{
	return !strncmp(key, "pgscan", 6) || !strncmp(key, "pgsteal", 7) ||
	       !strcmp(key, "pgrefill");
}

static inline const char *event_key(const struct ledger_line *line)
{
	const char *dot = strrchr(line->name, '.');

	return dot ? dot + 1 : line->name;
}

/*
 * Only vmstat has a line for each way to swap and back: memory.stat of 6.12 lacks pages that are
 * written, and what becomes of huge pages is counted apart.
 */
static inline bool event_is_part_of_swap(const struct ledger_line *line)
{
	const char *dot = strrchr(line->name, '.');

	return dot && !strncmp(dot, ".pswp", 5) && strncmp(line->name, "vmstat.", 7);
}

/*
 * What a load's words say of an event: "pgfault*1" as many as the load has pages, "pgsteal" as many
 * or more, "nr_written?" any. *how is '*', '+', '?', and 0 where it is not named: none.
 */
static inline int64_t event_times(const char *words, const char *key, char *how)
{
	size_t len = strlen(key);
	const char *at = words;

	*how = 0;
	while (at && (at = strstr(at, key))) {
		const char *end = at + len;

		at = end;
		if (end[-(ptrdiff_t)len - 1] != ' ')
			continue;
		if (*end == '*')
			*how = '*';
		else if (*end == '?')
			*how = '?';
		else if (*end == ' ')
			*how = '+';
		if (*how)
			return *how == '*' ? strtoll(end + 1, NULL, 10) : *how == '+';
	}
	return 0;
}

/* Only processes of the cgroup raise it, and the kernel where it works on their memory. */
static inline bool event_is_of_cgroup(const struct ledger_line *line)
{
	return !strncmp(line->name, "memory.", 7) || !strncmp(line->name, "numa_stat.", 10) ||
	       !strncmp(line->name, "hugetlb.", 8);
}

static inline int64_t event_moved(struct ledger *before, struct ledger *after, const char *name)
{
	const struct ledger_line *now = ledger_find(after, name, 0);
	const struct ledger_line *then = now ? ledger_find(before, name, (size_t)(now - after->of))
					     : NULL;

	return then ? now->value - then->value : 0;
}

/* Whether the kernel or another process has moved pages, so that events are not the load's alone.
 */
static inline bool events_are_disturbed(struct ledger *before, struct ledger *after, int64_t bound)
{
	static const char *const signs[] = {
		"vmstat.pgscan_kswapd",           "vmstat.pgscan_khugepaged",
		"vmstat.compact_migrate_scanned", "vmstat.numa_pte_updates",
		"vmstat.numa_hint_faults",        "memory.stat.pgscan_kswapd",
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (event_moved(before, after, signs[i]))
			return true;
	/* Those of others: of what they reclaim, and of what they read back. */
	return event_moved(before, after, "vmstat.pgscan_direct") -
			       event_moved(before, after, "memory.stat.pgscan_direct") >
		       bound ||
	       event_moved(before, after, "vmstat.pgmajfault") -
			       event_moved(before, after, "memory.stat.pgmajfault") >
		       bound;
}

#endif
