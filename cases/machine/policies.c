// SPDX-License-Identifier: MIT
/*
 * Double entry for each node: memory of each kind under each memory policy. Each number of a node
 * moves by the pages that the policy puts there. numa_maps and move_pages(2) report as many pages
 * there.
 */
#include "../hugetlb/node.h"
#include "double_entry.h"
#include <linux/capability.h>

enum { POLICY_PREFERRED = 1, POLICY_BIND, POLICY_INTERLEAVE, POLICY_LOCAL, POLICY_PREFERRED_MANY };
enum { POLICY_WEIGHTED = 6, NEAR = 0, FAR, BOTH, WEIGHTED };
STEP_SYMBOLS(TAKE);

/* NEAR is the CPU's node, FAR the other one. */
static const struct policy {
	const char *name;
	int mode, where;
} policies[] = {
	{ "MPOL_BIND to the CPU's node", POLICY_BIND, NEAR },
	{ "MPOL_BIND to the other node", POLICY_BIND, FAR },
	{ "MPOL_INTERLEAVE", POLICY_INTERLEAVE, BOTH },
	{ "MPOL_WEIGHTED_INTERLEAVE", POLICY_WEIGHTED, WEIGHTED }, /* since 6.9 */
	{ "MPOL_PREFERRED", POLICY_PREFERRED, FAR },
	{ "MPOL_PREFERRED_MANY", POLICY_PREFERRED_MANY, FAR }, /* since 5.15 */
	{ "MPOL_LOCAL", POLICY_LOCAL, NEAR },
};

/* How the pages get to the nodes: by the policy of the process or of the mapping, or by moving. */
enum way { SET_MEMPOLICY, MBIND, MBIND_MOVE, MIGRATE_PAGES };
static const char *const ways[] = { "set_mempolicy(2)", "mbind(2)", "mbind(2) with MPOL_MF_MOVE",
				    "migrate_pages(2)" };

struct kind_of_memory {
	const char *name;
	char *(*map)(const struct workload *w);
	const char *huge; /* the line of smaps_rollup that counts its huge pages */
	bool pool, file;
	struct load load;
};

/* The load that the next process performs. */
static const struct kind_of_memory *kind_now;
static const struct policy *policy_now;
static enum way way_now;
static unsigned near; /* the node of the CPU */

/* Does numa_interleave count weighted interleaving? 1 if it does, 0 if not, -1 if not yet known. */
static int counts_weighted;

/* Where the load's process has found its pages. */
static struct found {
	pid_t pid;
	int64_t numa_maps[2], move_pages[2];
} * found;

/* ---- kinds ---- */

static char *map_huge(const struct workload *w)
{
	return huge_map(w, -1);
}

static char *map_pool(const struct workload *unused)
{
	(void)unused;
	for (int node = 0; node < 2; node++)
		if (node_number(node, workload_hugetlb_bytes(), "free_hugepages", 0) < LOAD_HUGETLB)
			return NULL;
	return pool_map(LOAD_HUGETLB, MAP_PRIVATE);
}

#define PLACED_BY_POLICY " numa_hit local_node other_node "
static const struct kind_of_memory kinds[] = {
	{ "anonymous memory", load_untouched,
	  .load = { .moves = { ANON_MEMORY, { PLACED, 1 } },
		    .counts = PLACED_BY_POLICY " pgfault? " } },
	{ "huge pages", map_huge, .huge = "AnonHugePages",
	  .load = { .moves = { ANON_MEMORY, { ANON_THP, 1 }, { PLACED, 1 } },
		    .counts = HUGE_EVENTS } },
	{ "a memfd", shmem_map_untouched,
	  .load = { .moves = { SHMEM_MEMORY, { MAPPED, 1 }, { PLACED, 1 } },
		    .counts = PLACED_BY_POLICY " pgfault? " } },
	{ "huge pages of a tmpfs", shmem_huge_map_untouched, .huge = "ShmemPmdMapped",
	  .load = { .moves = { SHMEM_MEMORY,
			       { MAPPED, 1 },
			       { SHMEM_THP, 1 },
			       { SHMEM_THP_MAPPED, 1 },
			       { PLACED, 1 } },
		    .counts = HUGE_SHMEM_EVENTS " thp_file_mapped*1 " } },
	{ "hugetlb pages", map_pool, .pool = true,
	  .load = { .moves = { { POOL_FREE, -1 }, { PLACED, 1 } } } },
	{ "a file", file_map_untouched, .file = true,
	  .load = { .moves = { FILE_MEMORY, { MAPPED, 1 }, { PLACED, 1 } },
		    .counts = " pgfault? pgmajfault? " } },
};

enum { POLICIES = sizeof(policies) / sizeof(*policies), MEMORIES = sizeof(kinds) / sizeof(*kinds) };

/* ---- the load's process ---- */

static size_t unit(const struct workload *w)
{
	return kind_now->pool ? workload_hugetlb_bytes() : w->page_size;
}

static size_t units(const struct workload *w)
{
	return kind_now->pool ? LOAD_HUGETLB : load_pages(w);
}

static bool set_policy(const struct workload *w, char *p, int mode, unsigned long mask, int flags)
{
	unsigned long bits = mask ? sizeof(mask) * 8 : 0;

	if (!p)
		return !syscall(SYS_set_mempolicy, mode, mask ? &mask : NULL, bits);
	return !syscall(SYS_mbind, p, units(w) * unit(w), mode, mask ? &mask : NULL, bits, flags);
}

static unsigned long nodes(int where)
{
	if (where == BOTH || where == WEIGHTED)
		return 3;
	return 1UL << (where == NEAR ? near : !near);
}

static void find_in_numa_maps(const struct workload *w, const char *p)
{
	FILE *f = fopen("/proc/self/numa_maps", "re");
	char *line = NULL, *at;
	size_t size = 0;
	int n;

	while (f && getline(&line, &size, f) > 0) {
		at = strstr(line, "kernelpagesize_kB=");
		if ((char *)(uintptr_t)strtoull(line, NULL, 16) != p || !at ||
		    strtoull(at + 18, NULL, 10) * 1024 != unit(w))
			continue;
		for (n = 0; n < 2; n++) {
			char key[8];

			snprintf(key, sizeof(key), " N%d=", n);
			at = strstr(line, key);
			if (at)
				found->numa_maps[n] = strtoll(at + 4, NULL, 10);
		}
	}
	free(line);
	if (f)
		fclose(f);
}

static void find(const struct workload *w, char *p)
{
	struct workload of_unit = *w;

	of_unit.page_size = unit(w);
	memset(found, 0, sizeof(*found));
	for (int node = 0; node < 2; node++)
		found->move_pages[node] = (int64_t)migrate_to(&of_unit, p, units(w), node, 0);
	find_in_numa_maps(w, p);
	found->pid = getpid();
}

static bool touch(const struct workload *w, char *p)
{
	for (size_t i = 0; i < units(w); i++)
		if (kind_now->file)
			(void)*(volatile char *)&p[i * unit(w)];
		else
			p[i * unit(w)] = 1;
	return !kind_now->huge || is_huge(w, kind_now->huge);
}

static bool move(const struct workload *w, char *p)
{
	unsigned long from = nodes(NEAR), to = nodes(FAR);

	if (way_now == MBIND_MOVE)
		return set_policy(w, p, POLICY_BIND, to, MPOL_MF_MOVE | LOAD_STRICT);
	/* Without CAP_SYS_NICE migrate_pages(2) moves no pages that other processes also map. */
	return !workload_set_capability(CAP_SYS_NICE, false) &&
	       syscall(SYS_migrate_pages, 0, sizeof(from) * 8, &from, &to) >= 0;
}

static int64_t place(const struct workload *w)
{
	bool moves = way_now == MBIND_MOVE || way_now == MIGRATE_PAGES;
	char *p = kind_now->map(w);

	if (!p ||
	    !set_policy(w, way_now == SET_MEMPOLICY || kind_now->file ? NULL : p, policy_now->mode,
			policy_now->mode == POLICY_LOCAL ? 0 : nodes(policy_now->where), 0) ||
	    !touch(w, p) || (moves && !move(w, p)))
		return -errno;
	find(w, p);
	return (int64_t)units(w);
}

#define WEIGHTS "/sys/kernel/mm/mempolicy/weighted_interleave/"

static int64_t place_by_weights(const struct workload *w)
{
	static const char *const files[] = { WEIGHTS "node0", WEIGHTS "node1", WEIGHTS "auto" };
	static const char *const values[] = { "3", "1" };
	char was[3][16];
	int64_t placed;

	for (size_t i = 0; i < 3; i++)
		if (workload_read_text(files[i], was[i], sizeof(was[i])) <= 0 && i < 2)
			return -ENOENT;
	placed = workload_try_to_set(files[0], values[0]) &&
				 workload_try_to_set(files[1], values[1])
			 ? place(w)
			 : -errno;
	/* A write to "auto" computes the weights again, so it comes last. */
	for (size_t i = 0; i < 3; i++)
		if (*was[i] && (i < 2 || *was[i] == 't' || *was[i] == '1'))
			workload_try_to_set(files[i], was[i]);
	return placed;
}

/* ---- the ledger ---- */

/* A huge page is one event. Counts it as its base pages, like the load. */
static void count_in_pages(const struct workload *w, struct ledger *l, const char *place,
			   const char *name)
{
	struct ledger_line *line = ledger_find_in(l, place, name);

	if (line && kind_now && kind_now->huge)
		line->value *= w->huge;
}

static int64_t event(struct ledger *l, const char *node, const char *name)
{
	const struct ledger_line *line = ledger_find_in(l, node, name);

	return line ? line->value : 0;
}

/*
 * Reads the events of a node. Each allocation is a hit or a miss, and local or not. If only this
 * CPU allocated, all allocations on its node would be local, and none on the other node. Other CPUs
 * allocate, too, so other_node of the near node and local_node of the far node may have any value.
 */
static void read_numastat(const struct workload *w, struct ledger *l, int node)
{
	static const struct ledger_file files[] = {
		{ .place = "node0", .part = true, .events = true },
		{ .place = "node1", .part = true, .events = true }
	};
	static const struct ledger_file sizes[] = { { .place = "node0", .part = true },
						    { .place = "node1", .part = true } };
	const char *place = files[node].place;
	bool alive = found->pid && !kill(found->pid, 0);
	struct ledger_line *line;
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/node/%s/numastat", place);
	ledger_text(w, l, path, &files[node]);
	ledger_add(w, l, &sizes[node], "hits + misses - local - other",
		   event(l, place, "numa_hit") + event(l, place, "numa_miss") -
			   event(l, place, "local_node") - event(l, place, "other_node"));
	count_in_pages(w, l, place, "interleave_hit");
	line = ledger_find_in(l, place, node == (int)near ? "other_node" : "local_node");
	if (line)
		line->kind = FREE_TO_MOVE;
	ledger_add(w, l, &sizes[node], "numa_maps", alive ? found->numa_maps[node] : 0);
	ledger_add(w, l, &sizes[node], "move_pages", alive ? found->move_pages[node] : 0);
}

static void read_nodes(const struct workload *w, struct ledger *l)
{
	static const struct ledger_file vmstat = { .place = "vmstat", .vmstat = true },
					stat = { .place = "memory.stat", .unit = LEDGER_BYTES },
					nodes_of[] = { { .place = "node0", .part = true },
						       { .place = "node1", .part = true } };
	char path[LEDGER_PATH];

	l->nr = l->entries = 0;
	ledger_text(w, l, "/proc/vmstat", &vmstat);
	count_in_pages(w, l, "vmstat", "numa_interleave");
	for (int node = 0; node < 2; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo", node);
		ledger_text(w, l, path, &nodes_of[node]);
		read_numastat(w, l, node);
	}
	ledger_text(w, l, ledger_path("memory.stat", path), &stat);
	ledger_nodes(w, l, ledger_path("memory.numa_stat", path));
}

/* ---- the rows ---- */

/* Sets the shares of the nodes, if the number of folios makes them exact. */
static void set_shares(const struct workload *w, struct load *load, int where)
{
	int64_t folios = kind_now->huge && w->huge ? (int64_t)load_pages(w) / w->huge : 4;

	if (where == NEAR)
		load->on[near] = 1;
	else if (where == FAR)
		load->on[!near] = 1;
	else if (where == BOTH && !kind_now->file && folios % 2 == 0)
		load->on[0] = load->on[1] = 1;
	else if (where == WEIGHTED && !kind_now->file && folios % 4 == 0) {
		load->on[0] = 3;
		load->on[1] = 1;
	}
}

static const char *events_of_way(void)
{
	if (way_now == MBIND_MOVE || way_now == MIGRATE_PAGES)
		return kind_now->pool   ? " pgmigrate_success? "
		       : kind_now->huge ? " pgmigrate_success*1 thp_migration_success*1 "
					: " pgmigrate_success*1 ";
	if (policy_now->mode == POLICY_WEIGHTED && counts_weighted < 0)
		return " numa_interleave? interleave_hit? ";
	if (policy_now->mode != POLICY_INTERLEAVE &&
	    (policy_now->mode != POLICY_WEIGHTED || !counts_weighted))
		return "";
	/* With set_mempolicy(2) the page tables of the process are interleaved, too. */
	if (way_now == MBIND)
		return kind_now->pool ? "" : " numa_interleave*1 interleave_hit*1 ";
	return kind_now->pool || kind_now->file ? " numa_interleave? interleave_hit? "
						: " numa_interleave interleave_hit ";
}

static void learn(struct workload *w, struct ledgers *b)
{
	int64_t rise = event_moved(b->after, b->before, "vmstat.numa_interleave");

	counts_weighted = rise > 0;
	workload_report(w, "counted", counts_weighted);
}

static int64_t take_one(struct workload *w, struct ledgers *b, const struct kind_of_memory *kind,
			const struct policy *policy, enum way way)
{
	struct load load = kind->load;
	char name[128], counts[320];
	bool done;

	b->begun = b->begun && kind == kind_now;
	kind_now = kind;
	policy_now = policy;
	way_now = way;
	snprintf(name, sizeof(name), "%s, %s by %s", kind->name, policy->name, ways[way]);
	snprintf(counts, sizeof(counts), "%s %s", load.counts ? load.counts : "", events_of_way());
	load.name = name;
	load.counts = counts;
	load.act = policy->where == WEIGHTED ? place_by_weights : place;
	if (kind->file && way == SET_MEMPOLICY && policy->mode == POLICY_INTERLEAVE)
		load.raises = " vmstat.numa_interleave ";
	if (kind->pool && (way == MBIND_MOVE || way == MIGRATE_PAGES))
		load.below = KIND(POOL_BYTES);
	set_shares(w, &load, way == MBIND_MOVE || way == MIGRATE_PAGES ? FAR : policy->where);
	done = take(w, &load, b);
	if (done && policy->mode == POLICY_WEIGHTED && counts_weighted < 0)
		learn(w, b);
	return done;
}

/* To save time, only some kinds are allocated under all policies of the process. */
static bool is_taken_by_process(const struct kind_of_memory *kind, const struct policy *policy)
{
	return kind == &kinds[0] || kind->file || policy->mode == POLICY_INTERLEAVE ||
	       (policy->mode == POLICY_BIND && policy->where == FAR);
}

/*
 * After the migration of a huge page of a tmpfs, some kernels, such as 6.1, still count it in
 * ShmemHugePages of the old node; 6.12 counts it on the new node. A kernel that prints nr_anon for
 * each huge page size is taken for a kernel such as 6.12.
 */
static bool moves_right(const struct workload *w, const struct kind_of_memory *kind)
{
	return kind->map != shmem_huge_map_untouched || thp_anon_folios(w) >= 0;
}

static void take_each(struct workload *w)
{
	static const struct load nothing = { .name = "nothing" };
	struct ledgers *b;
	int64_t taken = 0;
	unsigned cpu;

	if (!workload_may_use_node(0) || !workload_may_use_node(1) || getcpu(&cpu, &near) ||
	    near > 1)
		workload_skip(w, "memory on the nodes 0 and 1, and a CPU of one of them");
	if (!workload_number(NUMA_STAT, NULL, 1))
		workload_skip(w, "a kernel that counts numa_hit (vm.numa_stat is 0)");
	ledger_needs_room(w);
	found = workload_map(w, sizeof(*found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			     -1, 0);
	counts_weighted = -1;
	b = ledgers_open(w, read_nodes);
	ledger_enter(w);
	b->events = true;
	take(w, &nothing, b);
	for (size_t k = 0; k < MEMORIES; k++) {
		for (size_t i = 0; i < POLICIES; i++) {
			if (is_taken_by_process(&kinds[k], &policies[i]))
				taken += take_one(w, b, &kinds[k], &policies[i], SET_MEMPOLICY);
			if (!kinds[k].file)
				taken += take_one(w, b, &kinds[k], &policies[i], MBIND);
		}
		if (!moves_right(w, &kinds[k]))
			continue;
		taken += take_one(w, b, &kinds[k], &policies[0], MBIND_MOVE);
		taken += take_one(w, b, &kinds[k], &policies[0], MIGRATE_PAGES);
	}
	workload_cgroup_leave(w);
	workload_unmap(w, found, sizeof(*found));
	ledgers_close(w, b, taken);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t counted = trial_reported_or(t, TAKE, "counted", -1);

	if (counted >= 0)
		judge_yes_no(j, "numa.interleave_hit_counts_weighted", counted);
	if (trial_reported(t, TAKE, "loads") <= POLICIES * MEMORIES / 2)
		judge_skip(
			j,
			"a machine on which enough memory policies can allocate enough kinds of memory");
}

CASE(machine_policies) {
	.claim =
		"Each node's numbers, numa_maps and move_pages(2) agree on how many pages a memory policy puts on the node, and only interleaved pages raise numa_interleave",
	.because = "alloc_pages_mpol() chooses the node, and each counter of a page is kept on "
		   "the page's node. A migration subtracts the page from one node and adds it to "
		   "another.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/numa_memory_policy.rst",
			   "Documentation/admin-guide/numastat.rst",
			   "Documentation/filesystems/proc.rst, numa_maps"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(TAKE, "allocate under each policy and free", take_each,
			       .checks = 1)),
	.facts = FACTS(FACT("numa.interleave_hit_counts_weighted",
			    "Does numa_interleave count the pages of MPOL_WEIGHTED_INTERLEAVE?",
			    "yes|no")),
	.judge = judge,
};
