// SPDX-License-Identifier: MIT
/* memory.stat's percpu counts per-CPU memory that is made for a cgroup, once for each CPU. */
#include "stat.h"
#include <linux/bpf.h>
#include <sys/resource.h>

enum { VALUE = 4096 };
STEP_SYMBOLS(IN_A_CGROUP);

static int64_t make_map(const struct workload *w)
{
	int64_t cpus = sysconf(_SC_NPROCESSORS_CONF);
	union bpf_attr a = { .map_type = BPF_MAP_TYPE_PERCPU_ARRAY,
			     .key_size = 4,
			     .value_size = VALUE,
			     .max_entries = (uint32_t)(STAT_PAGES * (int64_t)w->page_size / VALUE /
						       cpus) };

	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit) { RLIM_INFINITY, RLIM_INFINITY });
	return syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof(a)) < 0 ? errno : 0;
}

static void pay(struct workload *w)
{
	stat_pay(w, "percpu", make_map, "bpf(2)");
}

/* Up to 5.10 maps are charged to nobody. */
static void judge(const struct trial *t, struct judgement *j)
{
	int64_t rose = trial_reported(t, IN_A_CGROUP, "percpu");

	judge_fact(j, "cgroup.per_cpu_bpf_maps_are", "%s",
		   rose > STAT_PAGES / 2 ? "charged" : "not charged");
	stat_judge(t, j, IN_A_CGROUP, "percpu", rose > STAT_PAGES / 2 ? STAT_PAGES : 0,
		   rose > STAT_PAGES / 2 ? STAT_PAGES : 0, "slab");
}

CASE(cgroup_stat_percpu) {
	.claim =
		"memory.stat's percpu rises by the size of a per-CPU BPF map, times the CPUs that are possible",
	.because =
		"pcpu_memcg_post_alloc_hook() adds the size of an object, times the possible CPUs, to "
		"MEMCG_PERCPU_B of the cgroup of its maker.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.facts = FACTS(FACT("cgroup.per_cpu_bpf_maps_are", "charged|not charged")),
	.judge = judge,
};
