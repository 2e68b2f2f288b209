// SPDX-License-Identifier: MIT
/*
 * Reads the numbers of two cgroups of cgroup v1, in the memory controller and, if it is mounted, in
 * the hugetlb controller. A load allocates memory in the first cgroup; some loads then move the
 * process to the second.
 */
#ifndef CASES_CGROUP_V1_H
#define CASES_CGROUP_V1_H

#include "../machine/double_entry.h"

enum { V1_PATH = 512 };

/*
 * The directories of one controller: the workload's own cgroup, and the two test cgroups below it.
 */
struct v1_tree {
	char home[V1_PATH], own[V1_PATH + 64], other[V1_PATH + 64];
};

static struct v1_tree v1_memory, v1_hugetlb;
/* True if the kernel moves a process's charges with the process (up to 6.12). */
static bool v1_moves;

/*
 * Finds the directory of the workload's own cgroup; if it is not below the mount, takes the mount
 * point.
 */
static inline bool v1_find_home(const char *controller, char home[V1_PATH])
{
	char path[256];
	struct stat s;

	if (workload_own_cgroup(controller, path, sizeof(path))) {
		snprintf(home, V1_PATH, "/sys/fs/cgroup/%s%s", controller, path);
		if (stat(home, &s) == 0)
			return true;
	}
	snprintf(home, V1_PATH, "/sys/fs/cgroup/%s", controller);
	return stat(home, &s) == 0;
}

static inline bool v1_write(const char *folder, const char *file, const char *text)
{
	char path[2 * V1_PATH];

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return workload_try_to_set(path, text);
}

static inline bool v1_make(const struct workload *w, const char *controller, struct v1_tree *t)
{
	char name[WORKLOAD_NAME];

	if (!v1_find_home(controller, t->home))
		return false;
	workload_name(w, name);
	snprintf(t->own, sizeof(t->own), "%s/%s", t->home, name);
	snprintf(t->other, sizeof(t->other), "%s/%s-other", t->home, name);
	if (mkdir(t->own, 0755) == 0 && mkdir(t->other, 0755) == 0 &&
	    v1_write(t->own, "cgroup.procs", "0"))
		return true;
	rmdir(t->own);
	rmdir(t->other);
	return false;
}

static inline void v1_remove(const struct v1_tree *t)
{
	if (!t->home[0])
		return;
	v1_write(t->home, "cgroup.procs", "0");
	rmdir(t->own);
	rmdir(t->other);
}

static inline void v1_enter(struct workload *w)
{
	if (!v1_make(w, "memory", &v1_memory))
		workload_skip(w, "the memory controller of cgroup v1, and permission to make a "
				 "cgroup");
	if (!v1_make(w, "hugetlb", &v1_hugetlb))
		v1_hugetlb.home[0] = '\0';
	v1_write(v1_memory.own, "memory.kmem.tcp.limit_in_bytes", "1G");
	v1_moves = v1_write(v1_memory.other, "memory.move_charge_at_immigrate", "3");
	snprintf(ledger_cgroup, sizeof(ledger_cgroup), "%s", v1_memory.own);
}

static inline void v1_leave(void)
{
	v1_remove(&v1_hugetlb);
	v1_remove(&v1_memory);
}

/*
 * Reads lines such as "file=4 N0=4", which count pages on lists. Also adds differences that must be
 * 0: for each line the nodes' sum minus the line's own number, and the line total minus its parts.
 */
static inline void v1_nodes(const struct workload *w, struct ledger *l, const struct ledger_file *f,
			    const char *path)
{
	static const struct {
		const char *file, *name;
		int sign;
	} lines[] = { { "total", "lru_total", 1 },
		      { "file", "lru_file", -1 },
		      { "anon", "lru_anon", -1 },
		      { "unevictable", "lru_unevictable", -1 } };
	int64_t rest = 0;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		int64_t pages = 0, nodes = 0;
		char *at = ledger_slurp(path);
		size_t len = strlen(lines[i].file);

		for (; at && (strncmp(at, lines[i].file, len) || at[len] != '=');)
			at = (at = strchr(at, '\n')) ? at + 1 : NULL;
		if (!at)
			continue;
		pages = strtoll(at + len + 1, &at, 10);
		while (*at == ' ' && (at = strpbrk(at, "=\n")) && *at == '=')
			nodes += strtoll(at + 1, &at, 10);
		rest += lines[i].sign * pages;
		if (lines[i].sign < 0)
			ledger_add(w, l, f, lines[i].name, pages);
		ledger_add(w, l, f, "sum of nodes minus total", nodes - pages);
	}
	ledger_add(w, l, f, "numa_stat total minus its parts", rest);
}

/*
 * Reads memory.stat, without the limits (hierarchical_...) and the events pgpgin and pgpgout. The
 * lines "total_..." include child cgroups; there are none here, so they must equal the other lines.
 */
static inline void v1_stat(const struct workload *w, struct ledger *l, const struct ledger_file *f,
			   const struct ledger_file *total, const char *path)
{
	char *at = ledger_slurp(path), *key;
	int64_t value;
	bool kb;

	while ((key = ledger_next(&at, &value, &kb))) {
		if (!strncmp(key, "hierarchical_", 13) || !strncmp(key, "pgpg", 4))
			continue;
		if (!strncmp(key, "total_pgpg", 10))
			continue;
		if (!strncmp(key, "total_", 6))
			ledger_add(w, l, total, key + 6, value);
		else
			ledger_add(w, l, f, key, value);
	}
}

static inline void v1_number(const struct workload *w, struct ledger *l,
			     const struct ledger_file *f, const char *folder, const char *file,
			     const char *name, int64_t unit)
{
	char path[2 * V1_PATH];
	int64_t n;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	n = workload_number(path, NULL, -1);
	if (n >= 0)
		ledger_add(w, l, f, name, n / unit);
}

static inline void v1_hugetlb_read(const struct workload *w, struct ledger *l,
				   const struct ledger_file *f, const char *folder)
{
	int64_t bytes = (int64_t)workload_hugetlb_bytes();
	char file[64];

	for (int rsvd = 0; bytes && rsvd < 2; rsvd++) {
		snprintf(file, sizeof(file), "hugetlb.%" PRId64 "%s.%susage_in_bytes",
			 bytes >> 20 ? bytes >> 20 : bytes >> 10, bytes >> 20 ? "MB" : "KB",
			 rsvd ? "rsvd." : "");
		v1_number(w, l, f, folder, file,
			  rsvd ? "hugetlb.rsvd.usage_in_bytes" : "hugetlb.usage_in_bytes", bytes);
	}
}

static inline void v1_read(const struct workload *w, struct ledger *l)
{
	static const char *const usage[] = { "memory.usage_in_bytes", "memory.memsw.usage_in_bytes",
					     "memory.kmem.usage_in_bytes",
					     "memory.kmem.tcp.usage_in_bytes" };
	static const struct {
		struct ledger_file stat, total, nodes, bytes, pieces;
	} files[2] = {
		{ { .place = "memory.stat", .unit = LEDGER_BYTES },
		  { .place = "memory.stat total", .unit = LEDGER_BYTES },
		  { .place = "numa_stat" },
		  { .place = "cgroup", .unit = LEDGER_BYTES },
		  { .place = "cgroup hugetlb" } },
		{ { .place = "other memory.stat", .unit = LEDGER_BYTES, .other = true },
		  { .place = "other memory.stat total", .unit = LEDGER_BYTES, .other = true },
		  { .place = "other numa_stat", .other = true },
		  { .place = "other cgroup", .unit = LEDGER_BYTES, .other = true },
		  { .place = "other hugetlb", .other = true } },
	};
	char path[2 * V1_PATH];

	l->nr = l->entries = 0;
	for (int i = 0; i < 2; i++) {
		const char *folder = i ? v1_memory.other : v1_memory.own;

		snprintf(path, sizeof(path), "%s/memory.stat", folder);
		v1_stat(w, l, &files[i].stat, &files[i].total, path);
		snprintf(path, sizeof(path), "%s/memory.numa_stat", folder);
		v1_nodes(w, l, &files[i].nodes, path);
		for (size_t k = 0; k < sizeof(usage) / sizeof(*usage); k++)
			v1_number(w, l, &files[i].bytes, folder, usage[k], usage[k], 1);
		if (v1_hugetlb.home[0])
			v1_hugetlb_read(w, l, &files[i].pieces,
					i ? v1_hugetlb.other : v1_hugetlb.own);
	}
}

#endif
