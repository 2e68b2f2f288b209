// SPDX-License-Identifier: MIT
/*
 * The ledger: numbers of the machine, its nodes, its zones and the workload's cgroup, by the kind
 * of memory that they count. It reads meminfo, vmstat, zoneinfo, the files of nodes 0 and 1, the
 * files of the cgroup, the hugetlb pools, swap, the devices' dirty pages and the stats of huge
 * pages of PMD size. Sizes are in pages, those of pools in hugetlb pages. Events are as printed,
 * except that huge pages count as base pages.
 */
#ifndef CASES_MACHINE_LEDGER_H
#define CASES_MACHINE_LEDGER_H

#include "base/cpus.h"
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <rssck/case.h>

enum kind {
	OTHER,        /* no load moves it */
	FREE_TO_MOVE, /* other work of the kernel moves it: free lists, slabs */
	EVENT,
	ALARM, /* rises only if a cgroup reaches a limit */
	ANON,
	ANON_LISTS,
	FILE_LISTS,
	BOTH_LISTS,
	UNEVICTABLE_LIST,
	LOCKED,
	CACHE,
	MAPPED,
	SHMEM,
	DIRTY,
	WRITTEN_BACK,
	SWAPPED, /* swap slots in use */
	SWAP_LEFT,
	SWAP_CACHE,
	ANON_THP,
	ANON_THP_PAID,
	ANON_FOLIOS,    /* folios of PMD size, mapped as a whole or in part */
	ANON_THP_PARTS, /* folios of PMD size that are mapped in part */
	SIZE_FOLIOS,    /* anonymous folios of the size in use (sizes.h) */
	SIZE_PARTS,     /* the SIZE_FOLIOS that are mapped in part */
	SHMEM_THP,
	SHMEM_THP_MAPPED,
	FILE_THP,
	TABLES,
	TABLES_PAID,
	STACKS,
	KERNEL, /* all kernel memory that a cgroup is charged for */
	PAID,
	PAID_SWAPPED, /* memsw of cgroup v1: charged memory plus pages on swap */
	OUT,          /* swap of cgroup v1: pages that are not in the swap cache */
	QUEUED,       /* memory of sockets */
	POOL,
	POOL_FREE,
	POOL_RESERVED,
	POOL_SURPLUS,
	POOL_BYTES,
	POOL_PAID,
	POOL_PAID_RESERVED,
	POOL_NODES, /* hugetlb pages of a cgroup minus the sum over its nodes; must not change */
	PROMISED,
	ISOLATED,
	PINNED,       /* acquired minus released */
	COMPRESSED,   /* memory that zswap uses */
	UNCOMPRESSED, /* pages that zswap has compressed */
	PLACED,       /* the load's pages on a node, as numa_maps and move_pages(2) report them */
	KINDS,
};

#define KIND(k) (1ULL << (k))

/* The kind of a number, by its name in any file. A name that is in no row is of kind OTHER. */
static const struct ledger_kind {
	const char *names; /* for example " AnonPages anon " */
	enum kind kind;
	bool exact;    /* no other process moves it, not even by one page */
	bool in_loads; /* may have any value while a load has its memory */
} ledger_kinds[] = {
	{ " AnonPages nr_anon_pages anon rss ", .kind = ANON },
	{ " Active(anon) Inactive(anon) nr_active_anon nr_inactive_anon nr_zone_active_anon "
	  "nr_zone_inactive_anon active_anon inactive_anon lru_anon ",
	  .kind = ANON_LISTS },
	{ " Active(file) Inactive(file) nr_active_file nr_inactive_file nr_zone_active_file "
	  "nr_zone_inactive_file active_file inactive_file lru_file ",
	  .kind = FILE_LISTS },
	{ " Active Inactive ", .kind = BOTH_LISTS },
	{ " Unevictable nr_unevictable nr_zone_unevictable unevictable lru_unevictable ",
	  .kind = UNEVICTABLE_LIST },
	{ " Mlocked nr_mlock ", .kind = LOCKED, .exact = true },
	{ " Cached FilePages nr_file_pages file cache ", .kind = CACHE },
	{ " Mapped nr_mapped file_mapped mapped_file ", .kind = MAPPED },
	{ " Shmem nr_shmem shmem ", .kind = SHMEM },
	{ " Dirty nr_dirty nr_zone_write_pending file_dirty dirty ", .kind = DIRTY },
	{ " Writeback nr_writeback file_writeback writeback ", .kind = WRITTEN_BACK },
	/* A device's numbers. Before 6.10 they leave out what a cgroup has written. */
	{ " BdiReclaimable ", .kind = DIRTY, .in_loads = true },
	{ " BdiWriteback ", .kind = WRITTEN_BACK, .in_loads = true },
	{ " SwapFree ", .kind = SWAP_LEFT },
	{ " SwapTotal HardwareCorrupted Bounce WritebackTmp ", .kind = OTHER, .exact = true },
	{ " used memory.swap.current ", .kind = SWAPPED },
	{ " SwapCached nr_swapcached swapcached ", .kind = SWAP_CACHE },
	{ " AnonHugePages nr_anon_transparent_hugepages ", .kind = ANON_THP },
	{ " nr_anon ", .kind = ANON_FOLIOS },
	{ " nr_anon_partially_mapped ", .kind = ANON_THP_PARTS, .in_loads = true },
	/* 5.10 keeps a batch of 32 huge pages on each CPU. */
	{ " anon_thp rss_huge ", .kind = ANON_THP_PAID, .in_loads = true },
	/* With shmem_enabled=always any memfd may have huge pages. */
	{ " ShmemHugePages nr_shmem_hugepages shmem_thp ", .kind = SHMEM_THP, .in_loads = true },
	{ " ShmemPmdMapped nr_shmem_pmdmapped ", .kind = SHMEM_THP_MAPPED, .in_loads = true },
	{ " FileHugePages FilePmdMapped nr_file_hugepages nr_file_pmdmapped file_thp ",
	  .kind = FILE_THP },
	{ " PageTables nr_page_table_pages ", .kind = TABLES, .in_loads = true },
	/* The case cgroup/stat_pagetables checks this line; on 6.18.15 it is always 0. */
	{ " pagetables ", .kind = TABLES_PAID, .in_loads = true },
	{ " KernelStack nr_kernel_stack kernel_stack ", .kind = STACKS },
	{ " kernel memory.kmem.usage_in_bytes ", .kind = KERNEL, .in_loads = true },
	{ " memory.current memory.usage_in_bytes ", .kind = PAID },
	{ " memory.memsw.usage_in_bytes ", .kind = PAID_SWAPPED },
	{ " swap ", .kind = OUT },
	{ " sock memory.kmem.tcp.usage_in_bytes ", .kind = QUEUED },
	{ " HugePages_Total nr_hugepages nr_hugepages_mempolicy ", .kind = POOL, .exact = true },
	{ " HugePages_Free free_hugepages ", .kind = POOL_FREE, .exact = true },
	{ " HugePages_Rsvd resv_hugepages ", .kind = POOL_RESERVED, .exact = true },
	{ " HugePages_Surp surplus_hugepages ", .kind = POOL_SURPLUS, .exact = true },
	{ " Hugetlb nr_hugetlb hugetlb ", .kind = POOL_BYTES, .in_loads = true },
	{ " hugetlb.current hugetlb.usage_in_bytes total ", .kind = POOL_PAID, .exact = true },
	{ " hugetlb.rsvd.current hugetlb.rsvd.usage_in_bytes ", .kind = POOL_PAID_RESERVED,
	  .exact = true },
	{ " Committed_AS ", .kind = PROMISED, .in_loads = true },
	{ " total-nodes ", .kind = POOL_NODES, .exact = true },
	{ " nr_isolated_anon nr_isolated_file ", .kind = ISOLATED, .exact = true },
	{ " nr_foll_pin_acquired nr_foll_pin_released ", .kind = PINNED, .exact = true },
	{ " Zswap zswap memory.zswap.current ", .kind = COMPRESSED, .in_loads = true },
	{ " Zswapped zswapped ", .kind = UNCOMPRESSED },
	{ " MemFree HighFree LowFree MemAvailable MemUsed nr_free_pages nr_free_pages_blocks CmaFree nr_free_cma "
	  "Slab SReclaimable SUnreclaim KReclaimable nr_slab_reclaimable nr_slab_unreclaimable "
	  "slab slab_reclaimable slab_unreclaimable nr_kernel_misc_reclaimable workingset_nodes "
	  "Percpu percpu vmalloc VmallocUsed Buffers CommitLimit DirectMap4k DirectMap2M "
	  "DirectMap1G nr_dirty_threshold nr_dirty_background_threshold nr_memmap_pages nr_zspages "
	  "nr_unaccepted sec_pagetables ",
	  .kind = FREE_TO_MOVE },
	{ " low high max oom oom_kill oom_group_kill ", .kind = ALARM, .exact = true },
	{ " fail sock_throttled ", .kind = FREE_TO_MOVE },
	{ " nr_dirtied nr_written nr_vmscan_write nr_vmscan_immediate_reclaim "
	  "nr_throttled_written ",
	  .kind = EVENT },
	{ " numa_interleave interleave_hit ", .kind = EVENT, .exact = true },
	{ " numa_maps move_pages ", .kind = PLACED, .exact = true },
};

enum { LEDGER_KINDS = sizeof(ledger_kinds) / sizeof(*ledger_kinds) };

struct ledger_line {
	char name[72]; /* for example "node0.AnonPages" */
	const struct ledger_kind *row;
	enum kind kind;
	bool part;  /* counts one node or zone; another line counts the sum */
	bool other; /* of the second cgroup, to which only some loads move */
	bool huge;
	int8_t node; /* of "node1.AnonPages" and "numa_stat N1.anon"; -1 if it counts no node */
	int64_t value;
};

enum { LEDGER_LINES = 1600, LEDGER_NAME = 56 };

enum { LEDGER_PIECES, LEDGER_KB, LEDGER_BYTES };

/*
 * A number in a file, and the index in ledger.of of the ledger line that it is added to. Every
 * reading finds the numbers in the same order, so a later reading need not search for the line.
 */
struct ledger_entry {
	const char *place;
	char key[LEDGER_NAME];
	uint16_t line;
};

struct ledger {
	size_t nr, entries;
	struct ledger_line of[LEDGER_LINES];
	struct ledger_entry entry[LEDGER_LINES];
};

static char ledger_cgroup[640];

enum { LEDGER_PATH = 720 };

/* Writes the path of a file of the cgroup, and returns it. */
static inline const char *ledger_path(const char *file, char path[LEDGER_PATH])
{
	snprintf(path, LEDGER_PATH, "%s/%s", ledger_cgroup, file);
	return path;
}

/* Returns the number in a file of the cgroup, or of a field of it; -1 if there is none. */
static inline int64_t ledger_number(const char *file, const char *field)
{
	char path[LEDGER_PATH];

	return workload_number(ledger_path(file, path), field, -1);
}

/* Writes the path of a file of a huge page size, and returns it. */
static inline const char *ledger_size_path(size_t bytes, const char *file, char path[LEDGER_PATH])
{
	snprintf(path, LEDGER_PATH, "/sys/kernel/mm/transparent_hugepage/hugepages-%zukB/%s",
		 bytes / 1024, file);
	return path;
}

static inline bool ledger_is_in(const char *names, const char *name)
{
	size_t len = strlen(name);
	const char *at = names;

	while ((at = strstr(at, name)))
		if (at[-1] == ' ' && at[len] == ' ')
			return true;
		else
			at += len;
	return false;
}

static inline const struct ledger_kind *ledger_row(const char *name)
{
	for (size_t i = 0; i < LEDGER_KINDS; i++)
		if (ledger_is_in(ledger_kinds[i].names, name))
			return &ledger_kinds[i];
	return NULL;
}

static inline bool ledger_is_event(const char *name, bool of_vmstat)
{
	static const char *const starts[] = { "pg", "workingset_", "thp_", "zsw", "swp", "numa_" };

	if (of_vmstat)
		return strncmp(name, "nr_", 3) && strcmp(name, "workingset_nodes");
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static inline bool ledger_counts_huge(const char *name)
{
	return !strncmp(name, "thp_", 4) ||
	       ledger_is_in(" nr_anon_transparent_hugepages nr_shmem_hugepages nr_shmem_pmdmapped "
			    "nr_file_hugepages nr_file_pmdmapped ",
			    name);
}

static inline struct ledger_line *ledger_find(struct ledger *l, const char *name, size_t hint)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct ledger_line *one = &l->of[(hint + i) % l->nr];

		if (!strcmp(one->name, name))
			return one;
	}
	return NULL;
}

/* Finds the line of a place such as "node0". */
static inline struct ledger_line *ledger_find_in(struct ledger *l, const char *place,
						 const char *key)
{
	char name[72];

	snprintf(name, sizeof(name), "%s.%s", place, key);
	return ledger_find(l, name, l->nr ? l->nr - 1 : 0);
}

/*
 * Returns the key of the line to which a number is added. Active and inactive lists are joined,
 * because the kernel decides when a page becomes inactive. So are the ways to swap a page (written,
 * compressed, or all zeroes), and acquired and released pins.
 */
static inline const char *ledger_joined(const char *key)
{
	static const char *const joined[][2] = {
		{ "zswpout", "pswpout" },
		{ "swpout_zero", "pswpout" },
		{ "zswpin", "pswpin" },
		{ "swpin_zero", "pswpin" },
		{ "Inactive(anon)", "Active(anon)" },
		{ "Inactive(file)", "Active(file)" },
		{ "Inactive", "Active" },
		{ "nr_inactive_anon", "nr_active_anon" },
		{ "nr_inactive_file", "nr_active_file" },
		{ "nr_zone_inactive_anon", "nr_zone_active_anon" },
		{ "nr_zone_inactive_file", "nr_zone_active_file" },
		{ "inactive_anon", "active_anon" },
		{ "inactive_file", "active_file" },
		{ "nr_foll_pin_released", "nr_foll_pin_acquired" },
	};

	for (size_t i = 0; i < sizeof(joined) / sizeof(*joined); i++)
		if (!strcmp(key, joined[i][0]))
			return joined[i][1];
	return key;
}

struct ledger_file {
	const char *place; /* prefix of the names, such as "node0"; must stay allocated */
	int unit;          /* unit of the numbers that are not events */
	bool part, vmstat, other;
	bool events; /* numbers without a row are events */
	bool huge;
};

/* Returns the node that a place such as "node1" or "numa_stat N1" names; -1 if it names none. */
static inline int8_t ledger_node(const char *place)
{
	int node = -1, end = 0;

	if (sscanf(place, "node%d%n", &node, &end) != 1)
		sscanf(place, "numa_stat N%d%n", &node, &end);
	return place[end] ? -1 : (int8_t)node;
}

static inline struct ledger_line *ledger_new_line(struct ledger *l, const struct ledger_file *f,
						  const char *key, const char *name)
{
	const struct ledger_kind *row = ledger_row(key);
	struct ledger_line *line = &l->of[l->nr++];

	*line = (struct ledger_line) {
		.row = row, .part = f->part, .other = f->other, .kind = OTHER
	};
	line->huge = f->huge || ledger_counts_huge(key);
	line->node = f->part ? ledger_node(f->place) : -1;
	if (f->events || ledger_is_event(key, f->vmstat))
		line->kind = EVENT;
	if (row)
		line->kind = row->kind;
	snprintf(line->name, sizeof(line->name), "%s", name);
	return line;
}

static inline struct ledger_line *ledger_line(struct ledger *l, const struct ledger_file *f,
					      const char *key)
{
	struct ledger_entry *e = &l->entry[l->entries++ % LEDGER_LINES];
	struct ledger_line *line;
	char name[72];

	if (e->place == f->place && !strcmp(e->key, key)) {
		if (e->line == l->nr)
			l->of[l->nr++].value = 0;
		return &l->of[e->line];
	}
	snprintf(name, sizeof(name), "%s.%.*s", f->place, LEDGER_NAME - 1, ledger_joined(key));
	line = ledger_find(l, name, l->nr ? l->nr - 1 : 0);
	if (!line && l->nr < LEDGER_LINES)
		line = ledger_new_line(l, f, key, name);
	if (!line)
		return &l->of[0];
	e->place = f->place;
	snprintf(e->key, sizeof(e->key), "%.*s", LEDGER_NAME - 1, key);
	e->line = (uint16_t)(line - l->of);
	return line;
}

/* Adds a number, as the file prints it, to its line, converted to the line's unit. */
static inline void ledger_add(const struct workload *w, struct ledger *l,
			      const struct ledger_file *f, const char *key, int64_t value)
{
	struct ledger_line *line = ledger_line(l, f, key);

	if (line->kind == PINNED && strstr(key, "released"))
		value = -value;
	if (line->kind == STACKS && f->vmstat)
		value = value * 1024 / (int64_t)w->page_size;
	else if (line->huge)
		value *= w->huge;
	else if (line->kind != EVENT && f->unit != LEDGER_PIECES)
		value /= (int64_t)w->page_size / (f->unit == LEDGER_KB ? 1024 : 1);
	line->value += value;
}

/*
 * Adds nr_zone_write_pending minus nr_dirty minus nr_writeback as a line of its own, which must not
 * change. The kernel prints a number below 0 as 0, so an error could otherwise stay hidden.
 */
static inline void ledger_pending(const struct workload *w, struct ledger *l,
				  const struct ledger_file *f)
{
	static const struct {
		const char *name;
		int sign;
	} terms[] = { { "nr_zone_write_pending", 1 }, { "nr_dirty", -1 }, { "nr_writeback", -1 } };
	int64_t sum = 0;

	for (size_t i = 0; i < 3; i++) {
		const struct ledger_line *line = ledger_find_in(l, f->place, terms[i].name);

		if (!line)
			return;
		sum += terms[i].sign * line->value;
	}
	ledger_add(w, l, f, "nr_zone_write_pending - nr_dirty - nr_writeback", sum);
}

/*
 * Adds the sum of two events of huge pages as a line of its own. Each huge page that is paged out
 * raises one of them; the kernel decides which.
 */
static inline void ledger_either(const struct workload *w, struct ledger *l,
				 const struct ledger_file *f, const char *one, const char *other)
{
	const struct ledger_line *a = ledger_find_in(l, f->place, one);
	const struct ledger_line *b = a ? ledger_find_in(l, f->place, other) : NULL;
	char key[LEDGER_NAME];

	if (!b || !w->huge)
		return;
	snprintf(key, sizeof(key), "%s+%s", one, other);
	ledger_add(w, l, f, key, (a->value + b->value) / w->huge);
}

/* Returns the content of a file; the next use of workload_buffer overwrites it. */
static inline char *ledger_slurp(const char *path)
{
	workload_read_whole(path, workload_buffer, WORKLOAD_BUFFER);
	return workload_buffer;
}

/*
 * Cuts out the next line, such as "Name: 12 kB", "name 12" or "Node 0 Name: 12 kB". Returns its
 * name, and sets *value to its number and *kb to true if "kB" follows. A number -n may be printed
 * as 2^64 - n. Avoids strcspn(3), which is slow in an emulated machine.
 */
static inline char *ledger_next(char **at, int64_t *value, bool *kb)
{
	char *p = *at, *key, *end;

	while (*p == ' ' || *p == '\n')
		p++;
	if (*p == 'N' && p[4] == ' ' && p[6] == ' ') /* "Node 0 " */
		p += 7;
	key = p;
	while (*p && *p != ':' && *p != ' ' && *p != '\n')
		p++;
	end = p;
	if (end == key)
		return NULL;
	while (*p == ':' || *p == ' ')
		p++;
	*value = (int64_t)strtoull(p, &p, 10);
	*kb = *p == ' ' && p[1] == 'k';
	while (*p && *p != '\n')
		p++;
	*at = *p ? p + 1 : p; /* a name without a number ends at this newline, which is cut off */
	*end = '\0';
	return key;
}

static inline void ledger_text(const struct workload *w, struct ledger *l, const char *path,
			       const struct ledger_file *f)
{
	char *at = ledger_slurp(path), *key;
	int64_t value;
	bool kb;

	while ((key = ledger_next(&at, &value, &kb))) {
		struct ledger_file one = *f;

		one.unit = kb ? LEDGER_KB : f->unit;
		ledger_add(w, l, &one, key, value);
	}
}

/*
 * Reads lines such as "anon N0=4096 N1=0". Adds a line for each of nodes 0 and 1, and one for the
 * sum over all nodes.
 */
static inline void ledger_nodes(const struct workload *w, struct ledger *l, const char *path)
{
	static const struct ledger_file
		sum = { .place = "numa_stat", .unit = LEDGER_BYTES },
		of[] = { { .place = "numa_stat N0", .part = true, .unit = LEDGER_BYTES },
			 { .place = "numa_stat N1", .part = true, .unit = LEDGER_BYTES } };
	char *at = ledger_slurp(path), *key;

	for (; *at; at += *at == '\n') {
		key = at;
		at += strcspn(at, " \n");
		for (int node = 0; *at == ' '; node++) {
			int64_t value;

			*at++ = '\0';
			at += strcspn(at, "=\n");
			value = strtoll(at + (*at == '='), &at, 10);
			ledger_add(w, l, &sum, key, value);
			if (node < 2)
				ledger_add(w, l, &of[node], key, value);
		}
	}
}

/*
 * Reads the numbers of each zone. The file has about 200 bytes for each CPU and zone. If it is too
 * long for the buffer, this and all later readings leave out the zones.
 */
static inline void ledger_zones(const struct workload *w, struct ledger *l)
{
	static char places[16][40];
	static bool is_long;
	char *at = ledger_slurp("/proc/zoneinfo"), *key;
	struct ledger_file f = { .place = places[0], .part = true };
	int node, zone = -1;
	int64_t value;
	bool kb;

	is_long |= strlen(at) > 48 << 10;
	if (is_long)
		return;
	while ((key = ledger_next(&at, &value, &kb))) {
		char name[24];

		if (!strcmp(key, "Node") && zone < 15 &&
		    sscanf(key + 5, "%d, zone %23s", &node, name) == 2) {
			f.place = places[++zone];
			snprintf(places[zone], sizeof(places[zone]), "node%d %s", node, name);
		}
		if (zone >= 0 && (!strncmp(key, "nr_zone_", 8) || !strcmp(key, "nr_mlock")))
			ledger_add(w, l, &f, key, value);
	}
}

static inline size_t ledger_huge_bytes(void)
{
	static size_t bytes;

	if (!bytes)
		bytes = workload_hugetlb_bytes();
	return bytes;
}

/* Reads the hugetlb pool of the default huge page size. */
static inline void ledger_pool(const struct workload *w, struct ledger *l, const char *folder,
			       const struct ledger_file *f)
{
	static const char *const files[] = { "nr_hugepages", "free_hugepages", "resv_hugepages",
					     "surplus_hugepages" };
	size_t bytes = ledger_huge_bytes();
	char path[960];

	for (size_t i = 0; bytes && i < 4; i++) {
		int64_t n;

		snprintf(path, sizeof(path), "%s/hugepages-%zukB/%s", folder, bytes / 1024,
			 files[i]);
		n = workload_number(path, NULL, -1);
		if (n >= 0)
			ledger_add(w, l, f, files[i], n);
	}
}

/*
 * Reads the devices' dirty pages, and those under writeback, from debugfs if it is mounted:
 * /sys/kernel/debug/bdi/254:0/stats (mm/backing-dev.c, bdi_debug_stats_show()).
 */
static inline void ledger_devices(const struct workload *w, struct ledger *l)
{
	static const struct ledger_file f = { .place = "bdi", .unit = LEDGER_KB };
	DIR *d = opendir("/sys/kernel/debug/bdi");
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char path[320], *at, *key;
		int64_t value;
		bool kb;

		snprintf(path, sizeof(path), "/sys/kernel/debug/bdi/%s/stats", e->d_name);
		at = ledger_slurp(path);
		while ((key = ledger_next(&at, &value, &kb)))
			if (!strcmp(key, "BdiReclaimable") || !strcmp(key, "BdiWriteback"))
				ledger_add(w, l, &f, key, value);
	}
	if (d)
		closedir(d);
}

static inline void ledger_swaps(const struct workload *w, struct ledger *l)
{
	static const struct ledger_file f = { .place = "swaps", .unit = LEDGER_KB };
	const char *at = ledger_slurp("/proc/swaps");
	int64_t used, sum = 0;

	for (; *at; at += *at == '\n') {
		if (sscanf(at, "%*s %*s %*d %" SCNd64, &used) == 1)
			sum += used;
		at += strcspn(at, "\n");
	}
	ledger_add(w, l, &f, "used", sum);
}

/*
 * Reads a line such as "total=4194304 N0=2097152 N1=2097152", in bytes. Adds total minus the nodes,
 * in huge pages, as a line of its own, which must not change.
 */
static inline void ledger_pool_nodes(const struct workload *w, struct ledger *l, const char *path)
{
	static const struct ledger_file sum = { .place = "hugetlb.numa_stat" },
					part = { .place = "hugetlb.numa_stat", .part = true };
	int64_t value, rest = 0;
	char *at = ledger_slurp(path), *word;

	while ((word = strsep(&at, " \n"))) {
		char *equals = strchr(word, '=');
		bool node = *word == 'N';

		if (!equals)
			continue;
		*equals = '\0';
		value = strtoll(equals + 1, NULL, 10) / (int64_t)ledger_huge_bytes();
		ledger_add(w, l, node ? &part : &sum, word, value);
		rest += node ? -value : value;
	}
	ledger_add(w, l, &sum, "total-nodes", rest);
}

/*
 * Reads memory.current and similar files, in pages, and the files of the hugetlb controller:
 * current, rsvd.current and numa_stat in huge pages, and events.
 */
static inline void ledger_cgroup_files(const struct workload *w, struct ledger *l,
				       const char *folder)
{
	static const struct ledger_file bytes = { .place = "cgroup", .unit = LEDGER_BYTES },
					counts = { .place = "cgroup" },
					refused = { .place = "hugetlb.events" },
					local = { .place = "hugetlb.events.local" };
	int64_t huge = (int64_t)ledger_huge_bytes();
	DIR *d = opendir(folder);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		const char *end = strstr(e->d_name, ".current");
		const char *events = strstr(e->d_name, "B.events");
		bool pool = !strncmp(e->d_name, "hugetlb.", 8);
		char path[960];
		int64_t n;

		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (pool && huge && events && !events[8])
			ledger_text(w, l, path, &refused);
		if (pool && huge && events && !strcmp(events + 8, ".local"))
			ledger_text(w, l, path, &local);
		if (pool && huge && strstr(e->d_name, "B.numa_stat"))
			ledger_pool_nodes(w, l, path);
		if (!end || end[8] || (pool && !huge))
			continue;
		n = workload_number(path, NULL, -1);
		if (n >= 0 && pool)
			ledger_add(w, l, &counts,
				   strstr(e->d_name, ".rsvd.") ? "hugetlb.rsvd.current"
							       : "hugetlb.current",
				   n / huge);
		else if (n >= 0)
			ledger_add(w, l, &bytes, e->d_name, n);
	}
	if (d)
		closedir(d);
}

static inline void ledger_alarms(const struct workload *w, struct ledger *l)
{
	static const struct ledger_file files[] = { { .place = "memory.events" },
						    { .place = "memory.events.local" },
						    { .place = "memory.swap.events" } };
	char path[LEDGER_PATH];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		ledger_text(w, l, ledger_path(files[i].place, path), &files[i]);
}

static inline void ledger_huge_stats(const struct workload *w, struct ledger *l)
{
	static const struct ledger_file f = { .place = "thp", .events = true, .huge = true };
	static const char *const files[] = { "anon_fault_alloc",
					     "anon_fault_fallback",
					     "anon_fault_fallback_charge",
					     "zswpout",
					     "swpin",
					     "swpin_fallback",
					     "swpout",
					     "swpout_fallback",
					     "shmem_alloc",
					     "shmem_fallback",
					     "shmem_fallback_charge",
					     "split",
					     "split_failed",
					     "split_deferred",
					     "nr_anon",
					     "nr_anon_partially_mapped" };
	char name[LEDGER_NAME], path[LEDGER_PATH];

	for (size_t i = 0; w->huge_page_size && i < sizeof(files) / sizeof(*files); i++) {
		const char *text;

		snprintf(name, sizeof(name), "stats/%s", files[i]);
		text = ledger_slurp(ledger_size_path(w->huge_page_size, name, path));
		if (*text)
			ledger_add(w, l, &f, files[i], (int64_t)strtoull(text, NULL, 10));
	}
	ledger_either(w, l, &f, "swpout", "swpout_fallback");
}

static inline void ledger_enter(struct workload *w)
{
	char name[WORKLOAD_NAME];

	workload_cgroup_enter(w);
	snprintf(ledger_cgroup, sizeof(ledger_cgroup), "/sys/fs/cgroup/%s", workload_name(w, name));
}

/* Adds what the CPUs keep back to the lists and counters. */
static inline void ledger_settle_counters(struct workload *w)
{
	cpus_drain_lists();
	workload_cgroup_settle(w);
	workload_set(w, "/proc/sys/vm/stat_refresh", "1");
}

static inline void ledger_read(const struct workload *w, struct ledger *l)
{
	static const struct ledger_file meminfo = { .place = "meminfo" },
					vmstat = { .place = "vmstat", .vmstat = true },
					stat = { .place = "memory.stat", .unit = LEDGER_BYTES },
					pool = { .place = "pool" },
					nodes[] = { { .place = "node0", .part = true },
						    { .place = "node1", .part = true } };
	char folder[128], path[LEDGER_PATH];

	l->nr = l->entries = 0;
	ledger_text(w, l, "/proc/meminfo", &meminfo);
	ledger_text(w, l, "/proc/vmstat", &vmstat);
	ledger_pending(w, l, &vmstat);
	ledger_either(w, l, &vmstat, "thp_swpout", "thp_swpout_fallback");
	ledger_zones(w, l);
	for (int node = 0; node < 2; node++) {
		struct ledger_file f = nodes[node];

		snprintf(folder, sizeof(folder), "/sys/devices/system/node/node%d", node);
		snprintf(path, sizeof(path), "%s/meminfo", folder);
		ledger_text(w, l, path, &f);
		f.vmstat = true;
		snprintf(path, sizeof(path), "%s/vmstat", folder);
		ledger_text(w, l, path, &f);
		f.vmstat = false;
		snprintf(path, sizeof(path), "%s/hugepages", folder);
		ledger_pool(w, l, path, &f);
	}
	ledger_pool(w, l, "/sys/kernel/mm/hugepages", &pool);
	ledger_swaps(w, l);
	ledger_devices(w, l);
	ledger_huge_stats(w, l);
	ledger_text(w, l, ledger_path("memory.stat", path), &stat);
	ledger_either(w, l, &stat, "thp_swpout", "thp_swpout_fallback");
	ledger_nodes(w, l, ledger_path("memory.numa_stat", path));
	ledger_cgroup_files(w, l, ledger_cgroup);
	ledger_alarms(w, l);
}

#endif
