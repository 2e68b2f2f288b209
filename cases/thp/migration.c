// SPDX-License-Identifier: MIT
/* A huge page migrates as a whole: all its pages are then on another node, and it is still huge. */
#include <rssck/case.h>

enum { REGION = 0 };
STEP_SYMBOLS(WRITE_A_HUGE_PAGE, MIGRATE_AWAY, MIGRATE_BACK);

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_huge_page(w);
	touch_write(w, w->slot[REGION], (size_t)w->huge);
	workload_clear_refs(w, '4');
	touch_write(w, w->slot[REGION], 1);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
}

/* move_pages(2) migrates the whole huge page, although it gets the address of one page. */
static void migrate_away(struct workload *w)
{
	workload_report(w, "node", workload_migrate_away(w, w->slot[REGION]));
}

static void migrate_back(struct workload *w)
{
	workload_report(w, "node", workload_migrate_back(w, w->slot[REGION]));
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { MIGRATE_AWAY, MIGRATE_BACK };
	uint64_t at = (uint64_t)trial_reported(t, WRITE_A_HUGE_PAGE, "address");
	const struct mapping *was = snapshot_mapping(trial_snapshot(t, WRITE_A_HUGE_PAGE, 0), at);

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct mapping *m = snapshot_mapping(trial_snapshot(t, steps[i], 0), at);

		int64_t node = trial_reported(t, steps[i], "node");

		if (m && m->numa_read)
			judge_equal(j, steps[i], "pages on the new node",
				    node < 0 ? -1 : mapping_on_node(m, (int)node),
				    t->host->huge_page_size / t->host->page_size,
				    "numa_maps counts all pages of the huge page on the new node");
		if (m && was)
			judge_equal(j, steps[i], "soft-dirty", m->pagemap.soft_dirty,
				    was->pagemap.soft_dirty, "written pages stay soft-dirty");
	}
}

CASE(thp_migration) {
	.claim =
		"Migrating a huge page changes only the counts per node in numa_maps, and no other number of the process: the page stays huge, dirty and soft-dirty",
	.because = "set_pmd_migration_entry() and remove_migration_pmd() replace one PMD each. "
		   "Neither function changes the mm's counters.",
	.said_by = SAID_BY("move_pages(2)", "Documentation/mm/page_migration.rst"),
	.needs = NEEDS("thp", "guest"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(WRITE_A_HUGE_PAGE, "write a huge page", map_and_write),
		       STEP_AS(MIGRATE_AWAY, "migrate away", migrate_away),
		       STEP_AS(MIGRATE_BACK, "migrate back", migrate_back)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.judge = judge,
};
