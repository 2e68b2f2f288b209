// SPDX-License-Identifier: MIT
/* vmalloc in memory.stat counts vmalloc() memory that a cgroup is charged for, such as BPF maps. */
#include "stat.h"
#include <linux/bpf.h>

enum { HEADER = 1 }; /* pages of struct bpf_array before the values */

static int64_t make_map(const struct workload *w)
{
	union bpf_attr a = { .map_type = BPF_MAP_TYPE_ARRAY,
			     .key_size = 4,
			     .value_size = (uint32_t)w->page_size,
			     .max_entries = STAT_PAGES };

	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit) { RLIM_INFINITY, RLIM_INFINITY });
	return syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof(a)) < 0 ? -errno : STAT_PAGES + HEADER;
}

static const struct stat_act map = {
	.field = "vmalloc",
	.act = make_map,
	.uncharged = "nobpf,nokmem",
	.needs = "bpf(2)",
	.as_much = " kernel ",
};

STAT_CASE(cgroup_stat_vmalloc, map,
	  .claim = "vmalloc and kernel in memory.stat rise by the size of a large BPF array map "
		   "that a process in the cgroup creates",
	  .because = "A BPF map is charged to the cgroup of the process that creates it. Its "
		     "vmalloc() pages are added to MEMCG_VMALLOC (since 5.18).", );
