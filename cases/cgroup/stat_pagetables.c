// SPDX-License-Identifier: MIT
/* pagetables in memory.stat counts the page tables of a cgroup's processes. */
#include "stat.h"

/*
 * Reads one page in the range of each page table. Each read allocates a table and maps the zero
 * page.
 */
static int64_t read_far_apart(const struct workload *w)
{
	size_t span = w->page_size / 8 * w->page_size;
	char *p = mmap(NULL, STAT_PAGES * span, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return -ENOMEM;
	madvise(p, STAT_PAGES * span, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < STAT_PAGES; i++)
		(void)*(volatile char *)(p + i * span);
	return STAT_PAGES;
}

static const struct stat_act tables = {
	.field = "pagetables",
	.act = read_far_apart,
	.needs = "address space for 2048 page tables",
	.as_much = " kernel ",
};

STAT_CASE(cgroup_stat_pagetables, tables,
	  .claim = "pagetables and kernel in memory.stat rise by one page for each page table of a "
		   "process in the cgroup",
	  .because = "pagetable_pte_ctor() and similar functions add each table to NR_PAGETABLE of "
		     "its node and of the cgroup that is charged for it.", );
