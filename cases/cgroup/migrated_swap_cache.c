// SPDX-License-Identifier: MIT
/*
 * Migrates pages of the swap cache to another node, unmaps them, and reads the cgroup's file pages
 * of each node. The swap cache is counted in nr_file_pages of the node, but not of the cgroup.
 */
#include <inttypes.h>
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 1024, TEXT = 1024, PATIENCE_S = 10, LAG = 2 * CGROUP_BATCH };
STEP_SYMBOLS(MIGRATE);

/* Returns the pages of node 1 in the line "file N0=4096 N1=0" of memory.numa_stat; -1 if none. */
static int64_t file_of_node_1(struct workload *w)
{
	char path[WORKLOAD_CGROUP_PATH], text[TEXT], *line;
	int64_t bytes;

	workload_read_text(workload_cgroup_path(w, "memory.numa_stat", path), text, sizeof(text));
	line = strstr(text, "\nfile N0=");
	if (!line || sscanf(line, " file N0=%*d N1=%" SCNd64, &bytes) != 1)
		return -1;
	return bytes / (int64_t)w->page_size;
}

static void migrate(struct workload *w)
{
	struct patience patience = { .seconds = PATIENCE_S };
	int64_t before, after;
	bool moved;
	pid_t pid;
	char *p;

	workload_cgroup_enter(w);
	before = file_of_node_1(w);
	if (before < 0 || !workload_may_use_node(1)) {
		workload_cgroup_leave(w);
		workload_skip(w, "two nodes in memory.numa_stat (in QEMU: -numa node)");
	}
	p = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	workload_advise(w, p, PAGES * w->page_size, MADV_NOHUGEPAGE);
	touch_write(w, p, PAGES);
	workload_page_out(w, p, PAGES);
	/* It keeps the pages on swap, so that those that the workload reads stay in the swap cache.
	 */
	pid = workload_companion(w, NULL, NULL);
	touch_read(w, p, PAGES);
	moved = workload_migrate_each(p, PAGES, w->page_size, 1);
	workload_companion_ends(pid);
	workload_unmap(w, p, PAGES * w->page_size);
	do
		after = file_of_node_1(w);
	while (after - before > LAG && after - before < PAGES - LAG && workload_pause(&patience));
	workload_cgroup_leave(w);
	if (!moved)
		workload_skip(w, "pages of the swap cache that migrate");
	workload_report(w, "left", after - before);
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
