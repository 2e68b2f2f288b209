// SPDX-License-Identifier: MIT
/*
 * Migrates pages of the swap cache to another node, unmaps them, and reads the cgroup's file pages
 * of each node. The swap cache is counted in nr_file_pages of the node, but not of the cgroup.
 */
#include <inttypes.h>
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 1024, NODES = 2, TEXT = 1024, PATIENCE_S = 10, LAG = 2 * CGROUP_BATCH };
STEP_SYMBOLS(MIGRATE);

/* Sets pages[] to a line of memory.numa_stat, "file N0=4096 N1=0"; false if there is none. */
static bool pages_of_nodes(struct workload *w, const char *name, int64_t pages[NODES])
{
	char path[WORKLOAD_CGROUP_PATH], text[TEXT], line[32], *at;
	int64_t bytes[NODES];

	workload_read_text(workload_cgroup_path(w, "memory.numa_stat", path), text, sizeof(text));
	snprintf(line, sizeof(line), "\n%s N0=", name);
	at = strstr(text, line);
	if (!at || sscanf(at + strlen(line) - 3, "N0=%" SCNd64 " N1=%" SCNd64, &bytes[0],
			  &bytes[1]) != NODES)
		return false;
	for (int node = 0; node < NODES; node++)
		pages[node] = bytes[node] / (int64_t)w->page_size;
	return true;
}

/* Keeps the pages on swap, so that those that the workload reads stay in the swap cache. */
static int64_t keep(const struct workload *w)
{
	(void)w;
	return 0;
}

static void migrate(struct workload *w)
{
	struct patience patience = { .seconds = PATIENCE_S };
	int64_t before[NODES], after[NODES];
	bool moved;
	pid_t pid;
	char *p;

	workload_cgroup_enter(w);
	if (!workload_may_use_node(1) || !pages_of_nodes(w, "file", before)) {
		workload_cgroup_leave(w);
		workload_skip(w, "two nodes in memory.numa_stat (in QEMU: -numa node)");
	}
	p = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	workload_advise(w, p, PAGES * w->page_size, MADV_NOHUGEPAGE);
	touch_write(w, p, PAGES);
	workload_page_out(w, p, PAGES);
	pid = workload_companion(w, keep, NULL);
	touch_read(w, p, PAGES);
	moved = workload_migrate_each(p, PAGES, w->page_size, 1);
	workload_companion_ends(pid);
	workload_unmap(w, p, PAGES * w->page_size);
	do
		pages_of_nodes(w, "file", after);
	while (after[1] - before[1] > LAG && workload_pause(&patience));
	workload_cgroup_leave(w);
	if (!moved)
		workload_skip(w, "pages of the swap cache that migrate");
	workload_report(w, "left", after[1] - before[1]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t left = trial_reported(t, MIGRATE, "left");

	if (llabs(left) <= LAG)
		left = 0;
	if (llabs(left - PAGES) <= LAG)
		left = PAGES;
	judge_fact_of(j, "cgroup.file_of_migrated_swap_cache", left, PAGES, "none", "all",
		      "otherwise");
}

CASE(cgroup_migrated_swap_cache) {
	.claim =
		"memory.numa_stat counts no file pages on a node to which pages of the swap cache migrate; the recorded kernels count them there, also after they are freed",
	.because = "__swap_cache_add_folio() adds to nr_file_pages of the node alone, but "
		   "__folio_migrate_mapping() moves nr_file_pages of the cgroup, too.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.numa_stat"),
	.needs = NEEDS("root", "guest", "swap"),
	.flags = CASE_ONE_CPU,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(MIGRATE, "migrate pages of the swap cache", migrate)),
	.facts = FACTS(FACT(
		"cgroup.file_of_migrated_swap_cache",
		"After pages of the swap cache have migrated and are freed, how many of them are in file of memory.numa_stat?",
		"none|all")),
	.judge = judge,
};
