// SPDX-License-Identifier: MIT
/*
 * A number that the kernel prints in several files must be the same in each. A number of the
 * machine must be the sum of its nodes' numbers, a node's number that of its zones'. A number that
 * counts a part of another must not be larger.
 */
#ifndef CASES_MACHINE_SUMS_H
#define CASES_MACHINE_SUMS_H

#include "ledgers.h"

/* Pairs of lines that show the same number in two files (see fs/proc/meminfo.c). */
static const char *const sums_equal[][2] = {
	{ "meminfo.AnonPages", "vmstat.nr_anon_pages" },
	{ "meminfo.Mapped", "vmstat.nr_mapped" },
	{ "meminfo.Shmem", "vmstat.nr_shmem" },
	{ "meminfo.Mlocked", "vmstat.nr_mlock" },
	{ "meminfo.Unevictable", "vmstat.nr_unevictable" },
	{ "meminfo.Active(anon)", "vmstat.nr_active_anon" },
	{ "meminfo.Active(file)", "vmstat.nr_active_file" },
	{ "meminfo.Dirty", "vmstat.nr_dirty" },
	{ "meminfo.Writeback", "vmstat.nr_writeback" },
	{ "meminfo.SwapCached", "vmstat.nr_swapcached" },
	{ "meminfo.PageTables", "vmstat.nr_page_table_pages" },
	{ "meminfo.KernelStack", "vmstat.nr_kernel_stack" },
	{ "meminfo.AnonHugePages", "vmstat.nr_anon_transparent_hugepages" },
	{ "meminfo.ShmemHugePages", "vmstat.nr_shmem_hugepages" },
	{ "meminfo.ShmemPmdMapped", "vmstat.nr_shmem_pmdmapped" },
	{ "meminfo.FileHugePages", "vmstat.nr_file_hugepages" },
	{ "meminfo.FilePmdMapped", "vmstat.nr_file_pmdmapped" },
	{ "meminfo.HugePages_Total", "pool.nr_hugepages" },
	{ "meminfo.HugePages_Free", "pool.free_hugepages" },
	{ "meminfo.HugePages_Rsvd", "pool.resv_hugepages" },
	{ "meminfo.HugePages_Surp", "pool.surplus_hugepages" },
	/* __update_lru_size() adds to the node's and to the zone's number. */
	{ "vmstat.nr_active_anon", "vmstat.nr_zone_active_anon" },
	{ "vmstat.nr_active_file", "vmstat.nr_zone_active_file" },
	{ "vmstat.nr_unevictable", "vmstat.nr_zone_unevictable" },
	{ "node0.nr_active_anon", "node0.nr_zone_active_anon" },
	{ "node0.nr_active_file", "node0.nr_zone_active_file" },
	{ "node0.nr_unevictable", "node0.nr_zone_unevictable" },
	{ "node1.nr_active_anon", "node1.nr_zone_active_anon" },
	{ "node1.nr_active_file", "node1.nr_zone_active_file" },
	{ "node1.nr_unevictable", "node1.nr_zone_unevictable" },
};

/*
 * The first number must not be larger than the second: reserved pages are free, a page is evicted
 * before it is read back, a page is scanned before it is reclaimed.
 */
static const char *const sums_at_most[][2] = {
	{ "pool.resv_hugepages", "pool.free_hugepages" },
	{ "pool.free_hugepages", "pool.nr_hugepages" },
	{ "pool.surplus_hugepages", "pool.nr_hugepages" },
	{ "meminfo.AnonHugePages", "meminfo.AnonPages" },
	{ "meminfo.ShmemHugePages", "meminfo.Shmem" },
	{ "meminfo.ShmemPmdMapped", "meminfo.ShmemHugePages" },
	{ "meminfo.FilePmdMapped", "meminfo.FileHugePages" },
	{ "meminfo.Shmem", "meminfo.Cached" },
	{ "memory.stat.anon_thp", "memory.stat.anon" },
	{ "memory.stat.file_thp", "memory.stat.file" },
	{ "memory.stat.shmem_thp", "memory.stat.shmem" },
	{ "memory.stat.shmem", "memory.stat.file" },
	{ "vmstat.pgmajfault", "vmstat.pgfault" },
	{ "memory.stat.pgmajfault", "memory.stat.pgfault" },
	{ "vmstat.pglazyfreed", "vmstat.pglazyfree" },
	{ "memory.stat.pglazyfreed", "memory.stat.pglazyfree" },
	{ "vmstat.pgsteal_anon", "vmstat.pgscan_anon" },
	{ "vmstat.pgsteal_file", "vmstat.pgscan_file" },
	{ "vmstat.pgsteal_kswapd", "vmstat.pgscan_kswapd" },
	{ "vmstat.pgsteal_direct", "vmstat.pgscan_direct" },
	{ "vmstat.pgsteal_khugepaged", "vmstat.pgscan_khugepaged" },
	{ "vmstat.pgsteal_proactive", "vmstat.pgscan_proactive" },
	{ "memory.stat.pgsteal", "memory.stat.pgscan" },
	{ "memory.stat.pgsteal_kswapd", "memory.stat.pgscan_kswapd" },
	{ "memory.stat.pgsteal_direct", "memory.stat.pgscan_direct" },
	{ "memory.stat.pgsteal_khugepaged", "memory.stat.pgscan_khugepaged" },
	{ "memory.stat.pgsteal_proactive", "memory.stat.pgscan_proactive" },
	{ "vmstat.workingset_activate_anon", "vmstat.workingset_refault_anon" },
	{ "vmstat.workingset_activate_file", "vmstat.workingset_refault_file" },
	{ "vmstat.workingset_restore_anon", "vmstat.workingset_activate_anon" },
	{ "vmstat.workingset_restore_file", "vmstat.workingset_activate_file" },
	{ "memory.stat.workingset_activate_anon", "memory.stat.workingset_refault_anon" },
	{ "memory.stat.workingset_activate_file", "memory.stat.workingset_refault_file" },
	{ "memory.stat.workingset_restore_anon", "memory.stat.workingset_activate_anon" },
	{ "memory.stat.workingset_restore_file", "memory.stat.workingset_activate_file" },
	{ "vmstat.numa_hint_faults_local", "vmstat.numa_hint_faults" },
	{ "vmstat.thp_fault_fallback_charge", "vmstat.thp_fault_fallback" },
	{ "vmstat.thp_file_fallback_charge", "vmstat.thp_file_fallback" },
	{ "vmstat.unevictable_pgs_munlocked", "vmstat.unevictable_pgs_mlocked" },
};

enum {
	SUMS_EQUAL = sizeof(sums_equal) / sizeof(*sums_equal),
	SUMS_AT_MOST = sizeof(sums_at_most) / sizeof(*sums_at_most),
	SUMS_TRIES = 5,
	SUMS_KEPT_BACK = 32
};

/* Indexes of lines. The order of the lines is the same in each reading. */
static struct {
	size_t nr;                    /* number of lines when the indexes were found */
	uint16_t whole[LEDGER_LINES]; /* the line of which this one is a part, or 0 */
	bool has_parts[LEDGER_LINES];
	size_t nr_pairs;
	struct sums_pair {
		uint16_t line, other;
		bool at_most; /* the line may be less than the other; else they are equal */
	} pair[LEDGER_LINES];
	int64_t off[LEDGER_LINES]; /* a line minus its parts in the first reading */
	int64_t slack;             /* pages by which numa_stat and memory.stat may differ */
} sums;

static const char *sums_key(const struct ledger_line *line)
{
	return strrchr(line->name, '.') + 1;
}

static bool sums_is_of(const struct ledger_line *line, const char *file)
{
	return !strncmp(line->name, file, strlen(file));
}

static void sums_add_pair(struct ledger *l, const char *one, const char *other, bool at_most)
{
	const struct ledger_line *a = ledger_find(l, one, 0), *b = ledger_find(l, other, 0);

	if (a && b)
		sums.pair[sums.nr_pairs++] = (struct sums_pair) {
			.line = (uint16_t)(a - l->of),
			.other = (uint16_t)(b - l->of),
			.at_most = at_most,
		};
}

/*
 * Returns true if the line is a number of the machine or the cgroup, and so the sum over its nodes.
 */
static bool sums_is_of_nodes(const struct ledger_line *line)
{
	return sums_is_of(line, "meminfo.") || sums_is_of(line, "vmstat.") ||
	       sums_is_of(line, "pool.") || sums_is_of(line, "numa_stat.");
}

/*
 * Returns true if a line is a part of another: "node0.AnonPages" of "meminfo.AnonPages", "node0
 * DMA.nr_mlock" of "node0.nr_mlock", "numa_stat N0.anon" of "numa_stat.anon".
 */
static bool sums_is_part(const struct ledger_line *part, const struct ledger_line *whole)
{
	size_t len = strcspn(whole->name, ".");

	if (!part->part || strcmp(sums_key(part), sums_key(whole)) != 0)
		return false;
	if (strchr(part->name, ' '))
		return part->name[len] == ' ' && !strncmp(part->name, whole->name, len);
	return sums_is_of(part, "node") && !sums_is_of(whole, "node") &&
	       !sums_is_of(whole, "numa_stat.");
}

/*
 * nr_hugetlb falls with each hugetlb page that migrates (before 7.3.4, hugetlb/cgroup_migration)
 * and with some reservations that are refused (hugetlb/refused). Below 0 it is printed as 0.
 */
static bool sums_may_differ(const struct ledger_line *line)
{
	return line->kind == EVENT || line->kind == FREE_TO_MOVE ||
	       (line->kind == POOL_BYTES && !sums_is_of(line, "numa_stat"));
}

static void sums_add_parts(const struct ledger *l, int64_t parts[LEDGER_LINES])
{
	memset(parts, 0, LEDGER_LINES * sizeof(*parts));
	for (size_t i = 1; i < l->nr; i++)
		parts[sums.whole[i]] += l->of[i].value;
}

/*
 * Finds the pairs, and the parts of lines. When the case starts, a zone's or node's number may be
 * below 0, which is printed as 0 (seen on 6.19.14 for nr_zone_unevictable, in one boot of forty).
 * So sums.off stores how far each sum is off at that time. Returns true when it has stored that.
 */
static bool sums_begin(struct ledger *l, int64_t parts[LEDGER_LINES])
{
	/* The ledger reads two nodes only. With a third node their sum is not the machine's. */
	bool third = !access("/sys/devices/system/node/node2", F_OK);
	char name[80];

	if (sums.nr == l->nr)
		return false;
	memset(&sums, 0, sizeof(sums));
	sums.nr = l->nr;
	/*
	 * Before 6.0, which added pgscan_direct to memory.stat, each CPU keeps back up to 32 pages
	 * of a number of memory.stat, and as many of each of two nodes' numbers of numa_stat.
	 */
	if (!ledger_find(l, "memory.stat.pgscan_direct", 0))
		sums.slack = 3 * SUMS_KEPT_BACK * sysconf(_SC_NPROCESSORS_CONF);
	for (size_t i = 0; i < SUMS_EQUAL; i++)
		sums_add_pair(l, sums_equal[i][0], sums_equal[i][1], false);
	for (size_t i = 0; i < SUMS_AT_MOST; i++)
		sums_add_pair(l, sums_at_most[i][0], sums_at_most[i][1], true);
	for (size_t i = 1; i < l->nr; i++) {
		const struct ledger_line *whole = &l->of[i];

		if (sums_may_differ(whole) ||
		    !(sums_is_of(whole, "node") || (!third && sums_is_of_nodes(whole))))
			continue;
		if (sums_is_of(whole, "numa_stat.")) {
			snprintf(name, sizeof(name), "memory.stat.%s", sums_key(whole));
			sums_add_pair(l, whole->name, name, false);
		}
		for (size_t k = 1; k < l->nr; k++)
			if (sums_is_part(&l->of[k], whole)) {
				sums.whole[k] = (uint16_t)i;
				sums.has_parts[i] = true;
			}
	}
	sums_add_parts(l, parts);
	for (size_t i = 1; i < l->nr; i++)
		sums.off[i] = sums.has_parts[i] ? l->of[i].value - parts[i] : 0;
	return true;
}

static bool sums_differ(struct off *o, const char *name, int64_t value, int64_t other)
{
	if (value == other)
		return false;
	off_in_all(o, name, value, other);
	o->must = "must be";
	o->exact = o->is_value = true;
	o->when = "in one file";
	return true;
}

/*
 * On 5.10 each CPU keeps back up to 32 pages of a number of memory.stat, so a part may seem larger
 * than the whole: bound() allows for it.
 */
static bool is_pair_off(const struct workload *w, const struct ledger *l,
			const struct sums_pair *pair, struct off *o)
{
	const struct ledger_line *a = &l->of[pair->line], *b = &l->of[pair->other];

	if (sums_is_of(a, "numa_stat.") && llabs(a->value - b->value) <= sums.slack)
		return false;
	if (!pair->at_most)
		return sums_differ(o, a->name, a->value, b->value);
	if (a->value <= b->value + bound(w, a) || !sums_differ(o, a->name, a->value, b->value))
		return false;
	o->must = "must be at most";
	return true;
}

static bool sums_off_in(const struct workload *w, struct ledger *l, struct off *o)
{
	static int64_t parts[LEDGER_LINES];

	sums_add_parts(l, parts);
	for (size_t i = 1; i < l->nr; i++)
		if (sums.has_parts[i] &&
		    sums_differ(o, l->of[i].name, l->of[i].value, parts[i] + sums.off[i]))
			return true;
	for (size_t i = 0; i < sums.nr_pairs; i++)
		if (is_pair_off(w, l, &sums.pair[i], o))
			return true;
	return false;
}

/* Keeps only offsets that all of several readings show. */
static void sums_confirm(struct workload *w, struct ledgers *b, struct ledger *l)
{
	static int64_t parts[LEDGER_LINES];
	bool any = false;

	for (size_t i = 1; i < l->nr; i++)
		any |= sums.off[i] != 0;
	for (int try = 0; any && try < SUMS_TRIES; try++) {
		settle(w);
		b->settled++;
		b->read(w, l);
		sums_add_parts(l, parts);
		for (size_t i = 1; i < l->nr; i++)
			if (sums.off[i] != l->of[i].value - parts[i])
				sums.off[i] = 0;
	}
}

/*
 * Returns true if the files disagree in each of several readings. Between the readings of two files
 * another process may change a number, but not each time.
 */
static bool are_sums_off(struct workload *w, struct ledgers *b, struct ledger *l, struct off *o)
{
	static int64_t parts[LEDGER_LINES];
	struct off again;

	if (sums_begin(l, parts))
		sums_confirm(w, b, l);
	if (!sums_off_in(w, l, o))
		return false;
	for (int i = 0; i < SUMS_TRIES; i++) {
		settle(w);
		b->settled++;
		b->read(w, l);
		if (!sums_off_in(w, l, &again) || strcmp(again.name, o->name) != 0)
			return false;
	}
	return true;
}

#endif
