// SPDX-License-Identifier: MIT
/* percpu in memory.stat counts per-CPU memory of a cgroup, once for each possible CPU. */
#include "stat.h"
#include <linux/bpf.h>

enum { VALUE = 4096, SMALL_VALUE = 512, CPUS_MANY = 64, CPUS_MOST = 512, STOCK = 16 };
STEP_SYMBOLS(IN_A_CGROUP);

/*
 * Retries, because the kernel refills its list of free values with a delay and refuses meanwhile.
 */
static bool put(int map, uint32_t key, const void *value)
{
	union bpf_attr a = { .map_fd = (uint32_t)map,
			     .key = (uint64_t)(uintptr_t)&key,
			     .value = (uint64_t)(uintptr_t)value };
	struct patience p = { .seconds = 1, .pause_us = 5000 };

	do {
		if (syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &a, sizeof(a)) == 0)
			return true;
	} while ((errno == ENOMEM || errno == EBUSY) && workload_pause(&p));
	return false;
}

/*
 * Fills a map that allocates its values one by one. A preallocated map allocates all values before
 * it belongs to a cgroup. The kernel keeps values in stock: one for each CPU (prefill_mem_cache()),
 * and more once values are put in. For each 4 bytes of a value it charges 8 bytes more, in which it
 * notes the cgroup (pcpu_obj_full_size()).
 */
static int64_t make_map(const struct workload *w)
{
	int64_t cpus = sysconf(_SC_NPROCESSORS_CONF), size = cpus > CPUS_MANY ? SMALL_VALUE : VALUE;
	int64_t values = STAT_PAGES * (int64_t)w->page_size / size / cpus;
	union bpf_attr a = { .map_type = BPF_MAP_TYPE_PERCPU_HASH,
			     .key_size = 4,
			     .value_size = (uint32_t)size,
			     .map_flags = BPF_F_NO_PREALLOC };
	void *value = workload_try_map((size_t)(cpus * size), PROT_READ, MAP_PRIVATE, -1);
	int map;

	if (cpus > CPUS_MOST || !value)
		return -ENOMEM;
	/* The map needs more values than the kernel keeps in stock. */
	if (values < 2 * cpus)
		values = 2 * cpus;
	a.max_entries = (uint32_t)values;
	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit) { RLIM_INFINITY, RLIM_INFINITY });
	map = (int)syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof(a));
	if (map < 0)
		return -errno;
	for (uint32_t key = 0; key < values; key++)
		if (!put(map, key, value))
			return -errno;
	return (values + STOCK + cpus) * size * (cpus + 2) / (int64_t)w->page_size;
}

static const struct stat_act map = {
	.field = "percpu",
	.act = make_map,
	.uncharged = "nobpf,nokmem",
	.needs = "bpf(2), and at most 512 CPUs",
	.as_much = " kernel ",
	.free = " slab ",
	.least = 3,
	.least_here = STAT_PAGES / 4,
};

static void pay(struct workload *w)
{
	stat_pay(w, &map);
}

/* Up to 5.10 the kernel charges no cgroup for BPF maps. */
static void judge(const struct trial *t, struct judgement *j)
{
	bool pays = stat_pays(t, IN_A_CGROUP, &map);

	judge_fact(j, "cgroup.per_cpu_bpf_maps_are", "%s", pays ? "charged" : "not charged");
	stat_judge(t, j, IN_A_CGROUP, &map);
}

CASE(cgroup_stat_percpu) {
	.claim =
		"A per-CPU BPF map raises percpu and kernel in memory.stat by at least a third of its values' size times the number of possible CPUs, on kernels that charge cgroups for BPF maps",
	.because =
		"pcpu_memcg_post_alloc_hook() adds two sizes to MEMCG_PERCPU_B of the cgroup that allocates the object: the object's size times the number of possible CPUs, and the size of the object's array of cgroups.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.facts = FACTS(FACT("cgroup.per_cpu_bpf_maps_are",
			    "The per-CPU memory of a cgroup's BPF maps is", "charged|not charged")),
	.judge = judge,
};
