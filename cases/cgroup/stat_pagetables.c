// SPDX-License-Identifier: MIT
/* memory.stat's pagetables counts the page tables of a cgroup's processes. */
#include "stat.h"

STEP_SYMBOLS(IN_A_CGROUP);

/* Reading one page in each table's range makes the table, and maps the zero page. */
static int64_t read_far_apart(const struct workload *w)
{
	size_t span = w->page_size / 8 * w->page_size;
	char *p = mmap(NULL, STAT_PAGES * span, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return ENOMEM;
	madvise(p, STAT_PAGES * span, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < STAT_PAGES; i++)
		(void)*(volatile char *)(p + i * span);
	return 0;
}

static void pay(struct workload *w)
{
	stat_pay(w, "pagetables", read_far_apart, "address space for 2048 page tables");
}

static void judge(const struct trial *t, struct judgement *j)
{
	stat_judge(t, j, IN_A_CGROUP, "pagetables", STAT_PAGES, STAT_PAGES, "");
}

CASE(cgroup_stat_pagetables) {
	.claim =
		"memory.stat's pagetables rises by a page for each page table of a process in the cgroup",
	.because =
		"pagetable_pte_ctor() and the like add each table to NR_PAGETABLE of the node and of the "
		"cgroup that its page is charged to.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)),
	.judge = judge,
};
