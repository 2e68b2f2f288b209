// SPDX-License-Identifier: MIT
/* Page migration moves pages to other frames and does not change the process's RSS. */
#include <rssck/case.h>

enum { TRIES = 5, PAGES = 256, ASKED_AT_ONCE = 16, ANON = 0, SHMEM = 1, REGIONS = 2, HOME = 0 };
STEP_SYMBOLS(WRITE, MIGRATE_AWAY, MIGRATE_BACK, WRITE_AGAIN);

static const char *const names[REGIONS] = { "anonymous", "shmem" };

static void map_and_write(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++) {
		w->slot[i] = workload_map_pages(
			w, PAGES, PROT_READ | PROT_WRITE,
			MAP_ANONYMOUS | (i == ANON ? MAP_PRIVATE : MAP_SHARED), -1);
		touch_write(w, w->slot[i], PAGES);
		workload_report(w, names[i], (int64_t)(uintptr_t)w->slot[i]);
	}
	workload_clear_refs(w, '4');
	touch_write(w, w->slot[ANON], PAGES / 2);
}

/*
 * Returns how many pages of the region are on the node after the move; -1 if move_pages(2) fails,
 * as it does for a node that does not exist.
 */
static int move_to(struct workload *w, void *region, int node)
{
	void *pages[PAGES];
	int nodes[PAGES], status[PAGES], there = 0;

	for (size_t i = 0; i < PAGES; i++) {
		pages[i] = (char *)region + i * w->page_size;
		nodes[i] = node;
	}
	if (syscall(SYS_move_pages, 0, PAGES, pages, nodes, status, MPOL_MF_MOVE) < 0)
		return -1;
	/*
	 * Queries at most 16 pages in one call: for more, 5.15 to 6.15 return wrong results to a
	 * 32-bit process on a 64-bit kernel.
	 */
	for (int i = 0; i < PAGES; i += ASKED_AT_ONCE)
		workload_must(
			w,
			syscall(SYS_move_pages, 0, ASKED_AT_ONCE, pages + i, NULL, status + i, 0),
			"move_pages(2)");
	for (int i = 0; i < PAGES; i++)
		there += status[i] == node;
	return there;
}

static bool migrate_to(struct workload *w, int node)
{
	for (int i = 0; i < REGIONS; i++) {
		int there = move_to(w, w->slot[i], node);

		for (int try = 0; there >= 0 && there < PAGES && try < TRIES; try++)
			there = move_to(w, w->slot[i], node);
		if (there < 0)
			return false;
		if (there < PAGES)
			workload_die(w, "%d of %d pages moved to node %d", there, PAGES, node);
	}
	workload_report(w, "node", node);
	return true;
}

static void migrate_away(struct workload *w)
{
	int node = NODES_MAX - 1;

	w->number[HOME] = workload_node(w->slot[ANON]);
	while (node >= 0 && (node == w->number[HOME] || !migrate_to(w, node)))
		node--;
	if (node < 0)
		workload_skip(w, "a second memory node (in QEMU: -numa node)");
}

static void migrate_back(struct workload *w)
{
	if (!migrate_to(w, (int)w->number[HOME]))
		workload_skip(w, "memory on node %d", (int)w->number[HOME]);
}

static void write_again(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++)
		workload_rewrite(w, w->slot[i], PAGES);
}

static int64_t soft_dirty(const struct trial *t, unsigned step)
{
	return trial_soft_dirty(t, step, WRITE, names[ANON]);
}

/* Older kernels make a dirty page soft-dirty when they migrate it. */
static void judge_soft_dirty(const struct trial *t, struct judgement *j)
{
	int64_t before = soft_dirty(t, WRITE), after = soft_dirty(t, MIGRATE_AWAY);

	/* Without CONFIG_MEM_SOFT_DIRTY no page is ever soft-dirty. */
	if (trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY) > 0) {
		judge_equal(j, WRITE, "soft-dirty", before, PAGES / 2,
			    "soft-dirty = the pages written since clear_refs 4");
		judge_equal(j, WRITE_AGAIN, "soft-dirty", soft_dirty(t, WRITE_AGAIN), PAGES,
			    "soft-dirty = the pages written since clear_refs 4");
	}
	judge_fact(j, "migration.soft_dirty_pages_are", "%s",
		   after == before  ? "the same"
		   : after > before ? "more"
				    : "fewer");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { MIGRATE_AWAY, MIGRATE_BACK };

	for (size_t i = 0; i < 2 * REGIONS; i++) {
		unsigned step = steps[i / REGIONS];
		uint64_t at = (uint64_t)trial_reported(t, WRITE, names[i % REGIONS]);
		const struct mapping *m = snapshot_mapping(trial_snapshot(t, step, 0), at);

		int64_t node = trial_reported(t, step, "node");

		if (m && m->numa_read)
			judge_equal(j, step, "pages on the new node",
				    node < 0 ? -1 : mapping_on_node(m, (int)node), PAGES,
				    "numa_maps counts each page on its current node");
	}
	judge_soft_dirty(t, j);
}

CASE(anonymous_migration) {
	.claim =
		"Page migration changes only the counts per node in numa_maps and, on some kernels, which pages are soft-dirty; no other number of the process changes, because the same pages stay resident in other frames",
	.because = "try_to_migrate() replaces each entry by a migration entry. "
		   "remove_migration_pte() replaces the migration entry by an entry for the new "
		   "frame. Neither function changes the mm's counters.",
	.said_by = SAID_BY("move_pages(2)", "Documentation/mm/page_migration.rst"),
	.steps = STEPS(STEP_AS(WRITE, "write", map_and_write,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(PAGES), ANON_WRITE(PAGES),
				     SHMEM_WRITE(PAGES))),
		       STEP_AS(MIGRATE_AWAY, "migrate away", migrate_away),
		       STEP_AS(MIGRATE_BACK, "migrate back", migrate_back),
		       STEP_AS(WRITE_AGAIN, "write again", write_again, .checks = REGIONS)),
	.facts = FACTS(FACT("migration.soft_dirty_pages_are",
			    "After a migration the soft-dirty pages are", "the same|more")),
	.judge = judge,
};
