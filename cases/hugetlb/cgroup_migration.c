// SPDX-License-Identifier: MIT
/*
 * When a hugetlb page migrates, its cgroup should count it on the new node, and nr_hugetlb of
 * /proc/vmstat, the sum over all nodes, should not change.
 */
#include <rssck/case.h>

enum { NODES = 2, FILE_NAME = 64 };
STEP_SYMBOLS(IN_A_CGROUP);

/*
 * Writes a size as the kernel does in file names: "2MB", "1GB" (mem_fmt() in mm/hugetlb_cgroup.c).
 */
static void put_size(char *name, size_t size, size_t bytes)
{
	static const struct {
		unsigned shift;
		const char *unit;
	} units[] = { { 30, "GB" }, { 20, "MB" }, { 10, "KB" } };
	size_t i = 0;

	while (bytes >> units[i].shift == 0)
		i++;
	snprintf(name, size, "%zu%s", bytes >> units[i].shift, units[i].unit);
}

/*
 * Reads a line such as "total=2097152 N0=2097152 N1=0" of the workload's cgroup. Sets pages[] to
 * the pages of w->page_size on each node, or to -1 if there is no such line.
 */
static void pages_on_nodes(struct workload *w, const char *file, int64_t pages[NODES])
{
	char path[WORKLOAD_CGROUP_PATH], text[256];
	long long bytes[NODES];
	bool found;

	workload_read_text(workload_cgroup_path(w, file, path), text, sizeof(text));
	found = sscanf(text, "total=%*d N0=%lld N1=%lld", &bytes[0], &bytes[1]) == NODES;
	for (int i = 0; i < NODES; i++)
		pages[i] = found ? bytes[i] / (int64_t)w->page_size : -1;
}

/*
 * Returns nr_hugetlb, in pages of w->page_size; -1 if this kernel does not print it. Earlier
 * migrations may leave it below 0, and it is then printed as 0. A huge page exceeds the per-CPU
 * batch (calculate_normal_threshold(): at most 125), so the number does not lag.
 */
static int64_t nr_hugetlb(void)
{
	return workload_number("/proc/vmstat", "nr_hugetlb", -1);
}

static void use_and_migrate(struct workload *w)
{
	size_t bytes = workload_hugetlb_bytes();
	int64_t before[NODES], after[NODES], at_start, in_use, migrated;
	char size[32], file[FILE_NAME];
	bool moved;
	int to;
	char *p;

	p = workload_hugetlb_map(w, bytes, -1);
	put_size(size, sizeof(size), bytes);
	snprintf(file, sizeof(file), "hugetlb.%s.numa_stat", size);
	workload_cgroup_enter(w);
	at_start = nr_hugetlb();
	touch_write(w, p, 1);
	in_use = nr_hugetlb();
	pages_on_nodes(w, file, before);
	to = before[1] == 0;
	moved = workload_migrate(p, to) == to;
	migrated = nr_hugetlb();
	pages_on_nodes(w, file, after);
	workload_unmap(w, p, bytes);
	workload_cgroup_leave(w);
	if (before[0] < 0)
		workload_skip(w, "two nodes in %s (Linux 5.17)", file);
	if (!moved)
		workload_skip(w, "a hugetlb page that migrates to another node");
	workload_report(w, "pages", (int64_t)(bytes / w->page_size));
	workload_report(w, "there before", before[to]);
	workload_report(w, "left before", before[!to]);
	workload_report(w, "there", after[to]);
	workload_report(w, "left", after[!to]);
	workload_report(w, "nr_hugetlb", in_use - at_start);
	workload_report(w, "nr_hugetlb migrated", migrated - at_start);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t pages = trial_reported(t, IN_A_CGROUP, "pages");
	int64_t there = trial_reported(t, IN_A_CGROUP, "there");
	int64_t left = trial_reported(t, IN_A_CGROUP, "left");

	judge_reported(t, j, IN_A_CGROUP, "left before", "numa_stat of the page's node", pages,
		       "numa_stat counts the page on its node");
	judge_reported(t, j, IN_A_CGROUP, "there before", "numa_stat of the other node", 0,
		       "numa_stat counts the page on no other node");
	judge_fact(j, "hugetlb.numa_stat_of_a_page_that_migrates", "%s",
		   there == pages && left == 0   ? "goes with it"
		   : there == 0 && left == pages ? "stays behind"
						 : "otherwise");
	if (trial_reported(t, IN_A_CGROUP, "nr_hugetlb") >= pages)
		judge_fact(j, "hugetlb.nr_hugetlb_after_migration", "%s",
			   trial_reported(t, IN_A_CGROUP, "nr_hugetlb migrated") < pages / 2
				   ? "no"
				   : "yes");
}

CASE(hugetlb_cgroup_migration) {
	.claim =
		"hugetlb.SIZE.numa_stat counts a page on the node where it was allocated; before 7.3.4 and 6.12.117 the count stays on that node when the page migrates",
	.because = "hugetlb_cgroup_migrate() moves the cgroup from the old page to the new one. "
		   "Since 6.12.117 and 7.3.4 it also moves the page in the per-node usage. Before "
		   "7.3.4 vmstat's nr_hugetlb loses a page at each migration: free_huge_folio() "
		   "subtracts the old page, and nothing adds the new one.",
	.said_by = SAID_BY(
		"Documentation/admin-guide/cgroup-v2.rst, hugetlb.<hugepagesize>.numa_stat"),
	.needs = NEEDS("hugetlb", "guest"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", use_and_migrate)),
	.facts = FACTS(
		FACT("hugetlb.numa_stat_of_a_page_that_migrates",
		     "When a hugetlb page migrates to another node, its count in hugetlb.numa_stat",
		     "goes with it|stays behind"),
		FACT("hugetlb.nr_hugetlb_after_migration",
		     "Does nr_hugetlb still count a huge page after its migration?", "yes|no")),
	.judge = judge,
};
