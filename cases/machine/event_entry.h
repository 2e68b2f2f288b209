// SPDX-License-Identifier: MIT
/*
 * Double entry for events: a load raises the events that it names by its number of pages or a
 * multiple of it, and no other events. All files must agree on them.
 */
#ifndef CASES_MACHINE_EVENT_ENTRY_H
#define CASES_MACHINE_EVENT_ENTRY_H

#include "event_names.h"
#include "ledgers.h"

static inline bool event_is_of_acts(const struct ledger_line *line, const char *key)
{
	return !strncmp(line->name, "thp.", 4) || event_name_is_of_acts(key);
}

static inline bool event_is_of_huge_shmem(const struct ledger_line *line, const char *key)
{
	return line->huge && strncmp(key, "thp_fault_", 10) && strncmp(key, "anon_", 5);
}

static inline bool zswap_is_on(void)
{
	return *ledger_slurp(ZSWAP) == 'Y';
}

static inline bool shmem_may_be_huge(const struct workload *w)
{
	const char *all = ledger_slurp("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
	char path[LEDGER_PATH];

	if (*all && !strstr(all, "[never]") && !strstr(all, "[deny]"))
		return true;
	all = ledger_slurp(ledger_size_path(w->huge_page_size, "shmem_enabled", path));
	return *all && !strstr(all, "[never]") && !strstr(all, "[inherit]");
}

/*
 * Returns true if reclaim for a cgroup counts the event only in memory.stat, or under another name.
 */
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
 * Returns true if the line counts only some of the ways to swap a page. Only vmstat counts all of
 * them: memory.stat of 6.12 lacks pages that are written, and the stats of huge pages count written
 * and compressed pages separately.
 */
static inline bool event_is_part_of_swap(const struct ledger_line *line)
{
	const char *dot = strrchr(line->name, '.');

	return dot && !strncmp(dot, ".pswp", 5) && strncmp(line->name, "vmstat.", 7);
}

/*
 * Looks up an event in a load's list. The event must rise by the returned factor times the load's
 * pages. "pgfault*2": returns 2, sets *how to '*' (exactly). "pgsteal": returns 1, '+' (or more).
 * "nr_written?": returns 0, '?' (any number). If the list does not name the event, returns 0 and
 * sets *how to 0.
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

/*
 * Returns true if the event is raised only by the cgroup's processes, or by the kernel when it
 * works on their memory.
 */
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

/*
 * Returns true if the kernel or another process also moved pages, so that the load has not caused
 * all the events. Ignores signs that `counts` names.
 */
static inline bool events_are_disturbed(const char *counts, struct ledger *before,
					struct ledger *after, int64_t bound)
{
	static const char *const signs[] = { "vmstat.pgscan_kswapd",
					     "vmstat.pgscan_khugepaged",
					     "vmstat.compact_migrate_scanned",
					     "vmstat.numa_pte_updates",
					     "vmstat.numa_hint_faults",
					     "memory.stat.pgscan_kswapd",
					     "vmstat.zswpwb" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		char how;

		event_times(counts, strrchr(signs[i], '.') + 1, &how);
		if (!how && event_moved(before, after, signs[i]))
			return true;
	}
	/* Reclaim and major faults of processes outside the cgroup. */
	return event_moved(before, after, "vmstat.pgscan_direct") -
			       event_moved(before, after, "memory.stat.pgscan_direct") >
		       bound ||
	       event_moved(before, after, "vmstat.pgmajfault") -
			       event_moved(before, after, "memory.stat.pgmajfault") >
		       bound;
}

/*
 * Returns true if an event that must rise by at least the load's pages rose by too few, or if an
 * alarm did not rise.
 */
static bool counts_too_few(const struct workload *w, const struct load *load, struct ledger *before,
			   const struct ledger *after, int64_t pages, struct off *o)
{
	for (size_t i = 0; i < after->nr; i++) {
		const struct ledger_line *line = &after->of[i], *then;
		bool raised = load->raises && ledger_is_in(load->raises, line->name);
		char how = 0;
		int64_t must = raised ? 1 : of_node(load, line, pages);
		int64_t least = raised ? 1 : must - bound(w, line);

		if (!raised && line->kind == EVENT && !line->other &&
		    (!line->part || is_of_placed(load, line)))
			event_times(load->counts, event_key(line), &how);
		if (!raised && how != '+')
			continue;
		then = ledger_find(before, line->name, i);
		if (then && line->value - then->value < least)
			return off_in_all(o, line->name, line->value - then->value, must);
	}
	return false;
}

static int64_t event_moved_idle(struct ledgers *b, const char *name, size_t hint)
{
	const struct ledger_line *line = ledger_find(&b->idle, name, hint);

	return line ? line->value : 0;
}

static bool is_noisy(const struct ledgers *b, const char *name)
{
	for (size_t i = 0; i < b->nr_noisy; i++)
		if (!strcmp(b->noisy[i], name))
			return true;
	return b->nr_noisy == NOISY_MOST;
}

/*
 * Returns true if it is not known by how much the event rises, for example because the load names
 * it with "?" or "+".
 */
static bool is_event_free(const struct load *load, const struct ledgers *b,
			  const struct ledger_line *line, char how)
{
	const char *key = event_key(line);

	if (how == '?' || how == '+' || (!how && !event_is_of_acts(line, key)) ||
	    event_is_part_of_swap(line) || (load->raises && ledger_is_in(load->raises, line->name)))
		return true;
	if (!how && b->shmem_huge && event_is_of_huge_shmem(line, key))
		return true;
	if (b->zswap &&
	    ledger_is_in(" nr_written thp_swpout+thp_swpout_fallback swpout+swpout_fallback ", key))
		return true;
	/*
	 * Before 6.0, which added pgscan_direct to memory.stat, CPUs hold back events, and count a
	 * huge page like a single page.
	 */
	if (line->huge && !ledger_find(b->after, "memory.stat.pgscan_direct", 0) &&
	    event_is_of_cgroup(line))
		return true;
	/*
	 * Faults are checked only if the load names them, because every process has other faults,
	 * too. The case itself takes some each time it settles.
	 */
	return !strcmp(key, "pgfault") && (how != '*' || b->settled != IDLE_SETTLES);
}

static int64_t event_times_of(const struct load *load, const struct ledgers *b, const char *key,
			      char *how)
{
	int64_t times = event_times(load->counts, key, how);

	return *how || !b->lists ? times : event_times(load->counts_by_lists, key, how);
}

/*
 * An event of the cgroup must rise by as much as the load and the case itself raise it, because no
 * other process is in the cgroup. An event of the machine must rise by at least as much as the load
 * raises it, because other processes may raise it, too.
 */
static bool is_event_off(const struct workload *w, const struct load *load, struct ledgers *b,
			 const struct ledger_line *line, int64_t moved, int64_t pages,
			 struct off *o)
{
	char how;
	int64_t least = event_times_of(load, b, event_key(line), &how) * pages, most;

	least = of_node(load, line, least);

	if (is_event_free(load, b, line, how))
		return false;
	most = least + event_moved_idle(b, line->name, (size_t)(line - b->after->of));
	if (event_is_of_cgroup(line))
		least = most;
	if (moved < least - bound(w, line))
		return off_in_all(o, line->name, moved, least);
	if (moved <= most + bound(w, line) || is_noisy(b, line->name))
		return false;
	off_in_all(o, line->name, moved, most);
	o->shared = !event_is_of_cgroup(line);
	return true;
}

/* Returns true if numa_stat and memory.stat differ, or if vmstat counts less than memory.stat. */
static bool is_event_of_two_files_off(const struct workload *w, const struct ledgers *b,
				      const struct ledger_line *line, int64_t moved, struct off *o)
{
	const char *key = event_key(line);
	bool of_node = !strncmp(line->name, "numa_stat.", 10);
	int64_t there;
	char name[96];

	if (!of_node && (strncmp(line->name, "memory.stat.", 12) || event_is_of_reclaim(key) ||
			 (line->huge && !ledger_find(b->after, "memory.stat.pgscan_direct", 0))))
		return false;
	snprintf(name, sizeof(name), "%s.%s", of_node ? "memory.stat" : "vmstat", key);
	if (!ledger_find(b->after, name, 0) || !event_is_of_acts(line, key) ||
	    event_is_part_of_swap(line))
		return false;
	there = event_moved(b->before, b->after, name);
	if (!of_node && there > moved)
		return false;
	return llabs(moved - there) > bound(w, line) && off_in_all(o, line->name, moved, there);
}

/*
 * Returns true if a sum is off: the pages that reclaim scans or takes are the sum over the
 * reclaimers (kswapd, direct reclaim ...), and vmstat counts at least as many. A page read from
 * swap is a refault, because it was evicted.
 */
static bool is_sum_off(const struct workload *w, const struct ledgers *b, struct off *o)
{
	static const struct {
		const char *sum, *parts[4];
		bool more; /* the parts count all processes */
	} sums[] = {
		{ "vmstat.workingset_refault_anon", { "vmstat.pswpin" }, false },
		{ "memory.stat.pgscan", { "vmstat.pgscan_anon", "vmstat.pgscan_file" }, true },
		{ "memory.stat.pgsteal", { "vmstat.pgsteal_anon", "vmstat.pgsteal_file" }, true },
		{ "memory.stat.pgscan",
		  { "memory.stat.pgscan_kswapd", "memory.stat.pgscan_direct",
		    "memory.stat.pgscan_khugepaged", "memory.stat.pgscan_proactive" },
		  false },
		{ "memory.stat.pgsteal",
		  { "memory.stat.pgsteal_kswapd", "memory.stat.pgsteal_direct",
		    "memory.stat.pgsteal_khugepaged", "memory.stat.pgsteal_proactive" },
		  false },
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		const struct ledger_line *line = ledger_find(b->after, sums[i].sum, 0);
		int64_t moved, parts = 0;

		/* Kernels before 6.0 do not print the parts. */
		if (!line || (sums[i].parts[1] && !ledger_find(b->after, sums[i].parts[1], 0)))
			continue;
		moved = event_moved(b->before, b->after, sums[i].sum);
		for (size_t k = 0; k < 4 && sums[i].parts[k]; k++)
			parts += event_moved(b->before, b->after, sums[i].parts[k]);
		if ((!sums[i].more || moved > parts) && llabs(moved - parts) > bound(w, line))
			return off_in_all(o, sums[i].sum, moved, parts);
	}
	return false;
}

static bool are_events_off(const struct workload *w, const struct load *load, struct ledgers *b,
			   int64_t pages, struct off *o)
{
	int64_t most = (int64_t)load_pages(w) / BOUND;

	if (b->idle_rounds < TRIES || events_are_disturbed(load->counts, b->before, b->after, most))
		return false;
	for (size_t i = 0; i < b->after->nr; i++) {
		const struct ledger_line *line = &b->after->of[i], *then;

		if (line->kind != EVENT || (line->part && !is_of_placed(load, line)))
			continue;
		then = ledger_find(b->before, line->name, i);
		if (then && (is_event_off(w, load, b, line, line->value - then->value, pages, o) ||
			     is_event_of_two_files_off(w, b, line, line->value - then->value, o)))
			return true;
	}
	return is_sum_off(w, b, o);
}

/*
 * Measures by how much the case itself raises each event: the minimum over several rounds without a
 * load. Such a round settles as often as a round with a load.
 */
static void ledgers_idle(const struct workload *w, struct ledgers *b)
{
	if (!b->events || b->settled != IDLE_SETTLES ||
	    events_are_disturbed(NULL, b->before, b->after, (int64_t)load_pages(w) / BOUND))
		return;
	if (!b->idle_rounds++)
		b->idle.nr = b->after->nr;
	for (size_t i = 0; i < b->idle.nr; i++) {
		const struct ledger_line *now = &b->after->of[i],
					 *then = ledger_find(b->before, now->name, i);
		struct ledger_line *least = &b->idle.of[i];
		int64_t moved = then ? now->value - then->value : 0;

		if (b->idle_rounds == 1)
			*least = *now;
		if (b->idle_rounds == 1 ||
		    (!strcmp(least->name, now->name) && moved < least->value))
			least->value = moved;
	}
}

#endif
