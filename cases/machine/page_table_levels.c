// SPDX-License-Identifier: MIT
/*
 * PageTables counts page tables of the lowest two levels. Each page is so far from the others that
 * it needs a table of both.
 */
#include <rssck/case.h>

enum { RANGES = 256 };
STEP_SYMBOLS(FAR_APART);

/* The bytes that a table of the level above the lowest maps, as on x86-64: 1 GiB. */
static size_t upper_bytes(const struct workload *w)
{
	return workload_table_bytes(w) * (w->page_size / sizeof(uint64_t));
}

static int64_t page_tables(void)
{
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	return workload_number("/proc/vmstat", "nr_page_table_pages", 0);
}

static void read_far_apart(struct workload *w)
{
	size_t upper = upper_bytes(w), bytes = RANGES * upper;
	int64_t own = workload_status_pages(w, "VmPTE"), counted = page_tables();
	char *p = upper > SIZE_MAX / RANGES ? NULL
					    : workload_try_map(bytes, PROT_READ | PROT_WRITE,
							       MAP_PRIVATE | MAP_NORESERVE, -1);

	if (!p)
		workload_skip(w, "%d ranges of %zu MiB of address space", RANGES, upper >> 20);
	workload_advise(w, p, bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < RANGES; i++)
		(void)*(volatile char *)(p + i * upper);
	workload_report(w, "counted", page_tables() - counted);
	workload_report(w, "own", workload_status_pages(w, "VmPTE") - own);
	if (munmap(p, bytes) < 0)
		workload_die(w, "munmap: %m");
}

/* Other processes change PageTables by some tables, but not by as many as a level has here. */
static void judge(const struct trial *t, struct judgement *j)
{
	int64_t own = trial_reported(t, FAR_APART, "own");
	int64_t off = llabs(trial_reported(t, FAR_APART, "counted") - own);

	if (own < 2 * RANGES)
		return judge_skip(j, "a machine on which each table takes a page");
	judge_true(j, FAR_APART, off < RANGES / 2,
		   "PageTables counts the tables that VmPTE counts");
}

CASE(machine_page_table_levels) {
	.claim =
		"PageTables counts a process's page tables of the lowest two levels, as VmPTE does",
	.because = "mm_inc_nr_ptes() and mm_inc_nr_pmds() count a table in VmPTE. The constructors "
		   "of both count it in NR_PAGETABLE.",
	.said_by = SAID_BY("proc_meminfo(5), PageTables", "commit b2b29d6d0119",
			   "proc_pid_status(5), VmPTE"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP_AS(FAR_APART, "read pages that are far apart", read_far_apart,
			       .flags = STEP_UNSETTLED)),
	.judge = judge,
};
