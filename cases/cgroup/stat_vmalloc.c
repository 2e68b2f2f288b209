// SPDX-License-Identifier: MIT
/* memory.stat's vmalloc counts what the kernel maps for a cgroup, such as BPF maps. */
#include "stat.h"
#include <linux/bpf.h>
#include <sys/resource.h>

STEP_SYMBOLS(IN_A_CGROUP);

static int64_t make_map(const struct workload *w)
{
	union bpf_attr a = { .map_type = BPF_MAP_TYPE_ARRAY,
			     .key_size = 4,
			     .value_size = (uint32_t)w->page_size,
			     .max_entries = STAT_PAGES };

	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit) { RLIM_INFINITY, RLIM_INFINITY });
	return syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof(a)) < 0 ? errno : 0;
}

static void pay(struct workload *w)
{
	stat_pay(w, "vmalloc", make_map, "bpf(2)");
}

static void judge(const struct trial *t, struct judgement *j)
{
	stat_judge(t, j, IN_A_CGROUP, "vmalloc", STAT_PAGES, STAT_PAGES, "");
}

CASE(cgroup_stat_vmalloc) {
	.claim =
		"memory.stat's vmalloc rises by the size of a BPF map that a process in the cgroup makes",
	.because =
		"Maps are charged to the cgroup of their maker; pages of vmalloc() that are charged are "
		"added to MEMCG_VMALLOC (since 5.18).",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.judge = judge,
};
