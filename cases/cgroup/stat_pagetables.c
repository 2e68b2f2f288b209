// SPDX-License-Identifier: MIT
/* pagetables in memory.stat counts the page tables of a cgroup's processes. */
#include "stat.h"

/*
 * Reads one page in each of many far ranges. Each read allocates a page table and maps the zero
 * page. Returns the rise of VmPTE in pages, which is less than the number of tables on powerpc,
 * where several tables share a page.
 */
static int64_t read_far_apart(const struct workload *w)
{
	size_t span = w->page_size / 8 * w->page_size;
	size_t ranges = workload_table_bytes(w) < span ? 16 * STAT_PAGES : STAT_PAGES;
	int64_t before = workload_number("/proc/self/status", "VmPTE", 0);
	char *p = workload_try_map(ranges * span, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_NORESERVE, -1);

	if (!p)
		return -ENOMEM;
	madvise(p, ranges * span, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < ranges; i++)
		(void)*(volatile char *)(p + i * span);
	return (workload_number("/proc/self/status", "VmPTE", 0) - before) * 1024 /
	       (int64_t)w->page_size;
}

static const struct stat_act tables = {
	.field = "pagetables",
	.act = read_far_apart,
	.needs = "address space for ranges that are far apart",
	.as_much = " kernel ",
};

STAT_CASE(
	cgroup_stat_pagetables, tables,
	.claim = "pagetables and kernel in memory.stat rise by the page tables of a process in the "
		 "cgroup",
	.because = "pagetable_pte_ctor() and similar functions add each table to NR_PAGETABLE of "
		   "its node and of the cgroup that is charged for it.", );
