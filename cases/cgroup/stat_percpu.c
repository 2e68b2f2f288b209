// SPDX-License-Identifier: MIT
/* percpu in memory.stat counts per-CPU memory of a cgroup, once for each possible CPU. */
#include "stat.h"
#include <linux/bpf.h>
#include <sys/resource.h>

enum { VALUE = 4096 };
STEP_SYMBOLS(IN_A_CGROUP);

static int64_t make_map(const struct workload *w)
{
	int64_t cpus = sysconf(_SC_NPROCESSORS_CONF),
		values = STAT_PAGES * (int64_t)w->page_size / VALUE / cpus;
	union bpf_attr a = { .map_type = BPF_MAP_TYPE_PERCPU_ARRAY,
			     .key_size = 4,
			     .value_size = VALUE,
			     .max_entries = (uint32_t)values };

	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit) { RLIM_INFINITY, RLIM_INFINITY });
	if (syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof(a)) < 0)
		return -errno;
	return values * VALUE * cpus / (int64_t)w->page_size;
}

static const struct stat_act map = {
	.field = "percpu",
	.act = make_map,
	.needs = "bpf(2)",
	.as_much = " kernel ",
	.free = " slab ",
	.least_here = STAT_PAGES / 2,
};

static void pay(struct workload *w)
{
	stat_pay(w, &map);
}

/* Up to 5.10 the kernel charges no cgroup for BPF maps. */
static void judge(const struct trial *t, struct judgement *j)
{
	bool pays = trial_reported(t, IN_A_CGROUP, "percpu") >= map.least_here;

	judge_fact(j, "cgroup.per_cpu_bpf_maps_are", "%s", pays ? "charged" : "not charged");
	stat_judge(t, j, IN_A_CGROUP, &map);
}

CASE(cgroup_stat_percpu) {
	.claim = "percpu and kernel in memory.stat rise by the size of a per-CPU BPF map, times "
		 "the number of possible CPUs",
	.because = "pcpu_memcg_post_alloc_hook() adds the object's size, times the number of "
		   "possible CPUs, to MEMCG_PERCPU_B of the cgroup that allocates it.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.facts = FACTS(FACT("cgroup.per_cpu_bpf_maps_are",
			    "The per-CPU memory of a cgroup's BPF maps is", "charged|not charged")),
	.judge = judge,
};
