// SPDX-License-Identifier: MIT
/* The numbers of the files that machine/same_number compares, each by its name and its scope. */
#ifndef CASES_MACHINE_BOOK_H
#define CASES_MACHINE_BOOK_H

#include "buddyinfo.h"
#include "loads.h"

enum { NODES = 4, MACHINE = NODES, CGROUP, SCOPES, NUMBERS = 1200, KEY = 48 };

/*
 * The files whose lines are compared. A node's files and the zones are also summed up for the
 * machine.
 */
enum source_of {
	MEMINFO,
	VMSTAT,
	NODE_MEMINFO,
	NODE_VMSTAT,
	ZONEINFO,
	ZONES,
	POOLS,
	SWAPS,
	BUDDYINFO,
	STAT,
	NUMA,
	SOURCES
};
static const char *const source_names[] = {
	[MEMINFO] = "/proc/meminfo",
	[VMSTAT] = "/proc/vmstat",
	[NODE_MEMINFO] = "node*/meminfo",
	[NODE_VMSTAT] = "node*/vmstat",
	[ZONEINFO] = "/proc/zoneinfo, per-node stats",
	[ZONES] = "/proc/zoneinfo, zones",
	[POOLS] = "/sys/kernel/mm/hugepages",
	[SWAPS] = "/proc/swaps",
	[BUDDYINFO] = "/proc/buddyinfo",
	[STAT] = "memory.stat",
	[NUMA] = "memory.numa_stat",
};

/* A number of a node, of the machine or of the cgroup, as each file has it. */
static struct number {
	char key[KEY];
	int scope;
	int64_t value[SOURCES]; /* in kB; of the cgroup in bytes */
	bool has[SOURCES];
	bool agreed[SOURCES];
	int64_t off[SOURCES]; /* by how much a sum differed before the first load */
} * book;                     /* NUMBERS */
static size_t nr_numbers;

/*
 * Names of vmstat that differ from meminfo's in more than "nr_" and underscores, and sums of two:
 * each name is also added to these.
 */
static const char *const also[][2] = {
	{ "nr_mlock", "mlocked" },
	{ "nr_anon_transparent_hugepages", "anonhugepages" },
	{ "nr_page_table_pages", "pagetables" },
	{ "nr_sec_page_table_pages", "secpagetables" },
	{ "nr_free_pages", "memfree" },
	{ "nr_free_cma", "cmafree" },
	{ "nr_slab_reclaimable", "sreclaimable" },
	{ "nr_slab_unreclaimable", "sunreclaim" },
	{ "nr_slab_reclaimable", "slab" },
	{ "nr_slab_unreclaimable", "slab" },
	{ "nr_slab_reclaimable", "kreclaimable" },
	{ "nr_kernel_misc_reclaimable", "kreclaimable" },
	{ "nr_active_anon", "active" },
	{ "nr_active_file", "active" },
	{ "nr_inactive_anon", "inactive" },
	{ "nr_inactive_file", "inactive" },
};

/* Sums of lines of /proc/meminfo that another file prints as one number. */
static const struct {
	const char *line, *key;
	int times;
} summed[] = {
	{ "Cached", "filepages", 1 },     { "Buffers", "filepages", 1 },
	{ "SwapCached", "filepages", 1 }, { "MemTotal", "memused", 1 },
	{ "MemFree", "memused", -1 },
};

static void add(int scope, enum source_of source, const char *key, int64_t value)
{
	static size_t hint;
	struct number *n = NULL;

	for (size_t i = 0; i < nr_numbers && !n; i++) {
		struct number *one = &book[(hint + 1 + i) % nr_numbers];

		if (one->scope == scope && !strcmp(one->key, key))
			n = one;
	}
	if (!n && nr_numbers < NUMBERS) {
		n = &book[nr_numbers++];
		n->scope = scope;
		snprintf(n->key, sizeof(n->key), "%s", key);
	}
	if (!n)
		return;
	hint = (size_t)(n - book);
	n->value[source] += value;
	n->has[source] = true;
}

/* Adds a number to its node's, and to the sum over the nodes. */
static void add_for(int scope, enum source_of source, const char *key, int64_t value)
{
	add(scope, source, key, value);
	if (scope < NODES)
		add(MACHINE, source, key, value);
}

/*
 * Writes the name without "nr_" and all but its letters and digits: "Active(anon)" and
 * "nr_active_anon" become "activeanon". meminfo's Hugetlb is the pool's size, nr_hugetlb its part
 * in use.
 */
static const char *key_of(const char *name, char key[KEY])
{
	size_t len = 0;

	if (!strncmp(name, "nr_", 3) && strcmp(name, "nr_hugetlb") != 0)
		name += 3;
	for (; *name && len < KEY - 1; name++)
		if (isalnum((unsigned char)*name))
			key[len++] = (char)tolower((unsigned char)*name);
	key[len] = '\0';
	return key;
}

static void add_counter(const struct workload *w, int scope, enum source_of source,
			const char *name, int64_t value)
{
	bool in_kb = strstr(name, "kernel_stack") || strstr(name, "shadow_call_stack");
	char key[KEY];

	if (ledger_counts_huge(name) && w->huge)
		value *= w->huge;
	if (!in_kb)
		value *= (int64_t)w->page_size / 1024;
	add_for(scope, source, key_of(name, key), value);
	for (size_t i = 0; i < sizeof(also) / sizeof(*also); i++)
		if (!strcmp(name, also[i][0]))
			add_for(scope, source, also[i][1], value);
}

static bool read_vmstat(const struct workload *w, const char *path, int scope,
			enum source_of source)
{
	char *at = ledger_slurp(path), *key;
	int64_t value;
	bool kb;

	if (!*at)
		return false;
	while ((key = ledger_next(&at, &value, &kb)))
		add_counter(w, scope, source, key, value);
	return true;
}

static void read_meminfo(const char *path, int scope, enum source_of source)
{
	char *at = ledger_slurp(path), *name, key[KEY];
	int64_t value;
	bool kb;

	while ((name = ledger_next(&at, &value, &kb))) {
		add_for(scope, source, key_of(name, key), value);
		for (size_t i = 0; scope == MACHINE && i < sizeof(summed) / sizeof(*summed); i++)
			if (!strcmp(name, summed[i].line))
				add(scope, source, summed[i].key, summed[i].times * value);
	}
}

static int64_t pools_use; /* hugetlb pages in use, in kB */

/* Hugetlb of meminfo is what the pools of all sizes have, and HugePages_* are of one size. */
static void read_pools(void)
{
	enum { TOTAL, FREE, RESERVED, SURPLUS, FILES };
	static const char *const files[FILES][2] = {
		[TOTAL] = { "nr_hugepages", "hugepagestotal" },
		[FREE] = { "free_hugepages", "hugepagesfree" },
		[RESERVED] = { "resv_hugepages", "hugepagesrsvd" },
		[SURPLUS] = { "surplus_hugepages", "hugepagessurp" },
	};
	int64_t usual = (int64_t)workload_hugetlb_bytes() / 1024, pages[FILES];
	DIR *d = opendir("/sys/kernel/mm/hugepages");
	struct dirent *e;
	char path[512];
	long long kb;

	pools_use = 0;
	while (d && (e = readdir(d))) {
		if (sscanf(e->d_name, "hugepages-%lldkB", &kb) != 1)
			continue;
		for (int i = 0; i < FILES; i++) {
			snprintf(path, sizeof(path), "/sys/kernel/mm/hugepages/%s/%s", e->d_name,
				 files[i][0]);
			pages[i] = workload_number(path, NULL, 0);
			if (kb == usual)
				add(MACHINE, POOLS, files[i][1], pages[i]);
		}
		add(MACHINE, POOLS, "hugetlb", pages[TOTAL] * kb);
		pools_use += (pages[TOTAL] - pages[FREE]) * kb;
	}
	if (d)
		closedir(d);
}

/* "Filename Type Size Used Priority", in kB. */
static void read_swaps(void)
{
	char *at = strchr(ledger_slurp("/proc/swaps"), '\n');
	long long size, used;

	add(MACHINE, SWAPS, "swaptotal", 0);
	add(MACHINE, SWAPS, "swapfree", 0);
	for (; at; at = strchr(at + 1, '\n')) {
		if (sscanf(at, " %*s %*s %lld %lld", &size, &used) != 2)
			continue;
		add(MACHINE, SWAPS, "swaptotal", size);
		add(MACHINE, SWAPS, "swapfree", size - used);
	}
}

static void read_buddyinfo(const struct workload *w)
{
	char *at = ledger_slurp("/proc/buddyinfo");
	int64_t pages;
	int node;

	while ((at = buddyinfo_next(at, &node, &pages)))
		if (node < NODES)
			add_for(node, BUDDYINFO, "memfree", pages * (int64_t)w->page_size / 1024);
}

/*
 * Reads the per-node stats, which are printed for a node's first zone, and those lines of the zones
 * that a node's vmstat has. Before 5.14 the numa_ events of a zone include what CPUs still keep
 * back.
 */
static void read_zoneinfo(const struct workload *w)
{
	char *at = ledger_slurp("/proc/zoneinfo"), *key;
	enum source_of source = ZONES;
	int node = -1;
	int64_t value;
	bool kb;

	while ((key = ledger_next(&at, &value, &kb))) {
		if (!strcmp(key, "Node"))
			sscanf(key + 5, "%d", &node);
		else if (!strcmp(key, "per-node"))
			source = ZONEINFO;
		else if (!strcmp(key, "pages"))
			source = ZONES;
		else if (node >= 0 && node < NODES && strncmp(key, "numa_", 5) &&
			 (source == ZONEINFO || !strncmp(key, "nr_", 3)))
			add_counter(w, node, source, key, value);
	}
}

/*
 * Reads a file of the cgroup that stays open: each open(2) is charged to the cgroup until RCU frees
 * it, so the slabs of memory.stat would differ from those of memory.numa_stat.
 */
static char *read_open_file(int *fd, const char *name)
{
	size_t have = 0;
	ssize_t n;

	if (*fd < 0) {
		char path[LEDGER_PATH];

		*fd = open(ledger_path(name, path), O_RDONLY | O_CLOEXEC);
	}
	while (*fd >= 0 && (n = pread(*fd, workload_buffer + have, WORKLOAD_BUFFER - 1 - have,
				      (off_t)have)) > 0)
		have += (size_t)n;
	workload_buffer[have] = '\0';
	return workload_buffer;
}

static int stat_file = -1, numa_stat_file = -1;

static void read_stat(void)
{
	char *at = read_open_file(&stat_file, "memory.stat"), *key;
	int64_t value;
	bool kb;

	while ((key = ledger_next(&at, &value, &kb)))
		add(CGROUP, STAT, key, value);
}

/* Reads lines such as "anon N0=4096 N1=0". */
static void read_numa_stat(void)
{
	char *at = read_open_file(&numa_stat_file, "memory.numa_stat"), *key;

	for (; *at; at += *at == '\n') {
		key = at;
		at += strcspn(at, " \n");
		while (*at == ' ') {
			*at++ = '\0';
			at += strcspn(at, "=\n");
			add(CGROUP, NUMA, key, strtoll(at + (*at == '='), &at, 10));
		}
	}
}

/* Reads all files. Before 6.0 each CPU keeps back a part of the numbers of memory.numa_stat. */
static void read_book(const struct workload *w, bool numa_stat)
{
	char path[80];

	for (size_t i = 0; i < nr_numbers; i++)
		memset(book[i].value, 0, sizeof(book[i].value));
	read_stat();
	if (numa_stat)
		read_numa_stat();
	read_meminfo("/proc/meminfo", MACHINE, MEMINFO);
	read_vmstat(w, "/proc/vmstat", MACHINE, VMSTAT);
	for (int node = 0; node < NODES; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/vmstat", node);
		if (!read_vmstat(w, path, node, NODE_VMSTAT))
			continue;
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo", node);
		read_meminfo(path, node, NODE_MEMINFO);
	}
	read_zoneinfo(w);
	read_pools();
	read_swaps();
	read_buddyinfo(w);
}

#endif
