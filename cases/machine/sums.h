// SPDX-License-Identifier: MIT
/*
 * Numbers that stand in several files of the kernel: they must be equal to the page, and a number
 * of the machine must be the sum of its nodes' or zones' numbers.
 */
#ifndef CASES_MACHINE_SUMS_H
#define CASES_MACHINE_SUMS_H

#include "ledgers.h"

/* The same number in two files, as fs/proc/meminfo.c reads it. Each file is read by itself. */
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
};

enum { SUMS_EQUAL = sizeof(sums_equal) / sizeof(*sums_equal), SUMS_TRIES = 5 };

/* For each line, by its index: the line of which it is a part, or 0. */
static struct {
	size_t nr;
	uint16_t whole[LEDGER_LINES];
	bool has_parts[LEDGER_LINES];
} sums;

static const char *sums_key(const char *name)
{
	return strrchr(name, '.') + 1;
}

/* The order of the lines is the same in each reading, so this runs once for each length. */
static void sums_begin(const struct ledger *l)
{
	static const char *const places[] = { "meminfo.", "vmstat.", "pool.", "numa_stat." };

	if (sums.nr == l->nr)
		return;
	memset(&sums, 0, sizeof(sums));
	sums.nr = l->nr;
	for (size_t i = 1; i < l->nr; i++) {
		const struct ledger_line *whole = &l->of[i];
		bool may = false;

		for (size_t n = 0; n < sizeof(places) / sizeof(*places); n++)
			may |= !strncmp(whole->name, places[n], strlen(places[n]));
		/* nr_hugetlb of 6.18.15 and 7.2.13 falls below 0 on some nodes, and is printed as
		 * 0. */
		if (!may || whole->kind == EVENT || whole->kind == FREE_TO_MOVE ||
		    whole->kind == POOL_BYTES)
			continue;
		for (size_t k = 1; k < l->nr; k++)
			if (l->of[k].part &&
			    !strcmp(sums_key(l->of[k].name), sums_key(whole->name)) &&
			    !strncmp(l->of[k].name, "numa", 4) ==
				    !strncmp(whole->name, "numa", 4)) {
				sums.whole[k] = (uint16_t)i;
				sums.has_parts[i] = true;
			}
	}
}

static bool sums_differ(struct off *o, const char *name, int64_t value, int64_t other)
{
	if (value == other)
		return false;
	off_in_all(o, name, value, other);
	o->exact = true;
	o->when = "in one file, and differs from the others";
	return true;
}

static bool sums_off_in(struct ledger *l, struct off *o)
{
	static int64_t parts[LEDGER_LINES];
	char name[80];

	sums_begin(l);
	memset(parts, 0, sizeof(parts));
	for (size_t i = 1; i < l->nr; i++)
		parts[sums.whole[i]] += l->of[i].value;
	for (size_t i = 1; i < l->nr; i++)
		if (sums.has_parts[i] && sums_differ(o, l->of[i].name, l->of[i].value, parts[i]))
			return true;
	for (size_t i = 0; i < SUMS_EQUAL; i++) {
		const struct ledger_line *a = ledger_find(l, sums_equal[i][0], 0),
					 *b = ledger_find(l, sums_equal[i][1], 0);

		if (a && b && sums_differ(o, a->name, a->value, b->value))
			return true;
	}
	/* numa_stat's sums must be memory.stat's numbers. */
	for (size_t i = 1; i < l->nr; i++) {
		const struct ledger_line *b;

		if (strncmp(l->of[i].name, "numa_stat.", 10) || l->of[i].kind == EVENT ||
		    l->of[i].kind == FREE_TO_MOVE)
			continue;
		snprintf(name, sizeof(name), "memory.stat.%s", sums_key(l->of[i].name));
		b = ledger_find(l, name, 0);
		if (b && sums_differ(o, l->of[i].name, l->of[i].value, b->value))
			return true;
	}
	return false;
}

/*
 * Returns true if the files disagree in each of several readings. They are read one after the
 * other, so another process may change a number in between, but not each time.
 */
static bool are_sums_off(struct workload *w, struct ledgers *b, struct ledger *l, struct off *o)
{
	struct off again;

	if (!sums_off_in(l, o))
		return false;
	for (int i = 0; i < SUMS_TRIES; i++) {
		settle(w);
		b->settled++;
		b->read(w, l);
		if (!sums_off_in(l, &again) || strcmp(again.name, o->name) != 0)
			return false;
	}
	return true;
}

#endif
