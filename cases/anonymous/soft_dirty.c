// SPDX-License-Identifier: MIT
/*
 * In a mapping older than clear_refs 4, pagemap marks exactly the pages written since then as
 * soft-dirty.
 */
#include <rssck/case.h>

enum { PAGES = 256, WRITTEN = 77, REGION = 0 };
STEP_SYMBOLS(WRITE, CLEAR_REFS_4, READ_ALL, WRITE_SOME);

/*
 * Maps between two PROT_NONE pages, because a mapping that a new one merges with may get
 * VM_SOFTDIRTY.
 */
static void map_and_write(struct workload *w)
{
	char *p = workload_map_pages(w, PAGES + 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	w->slot[REGION] = p + w->page_size;
	workload_protect(w, w->slot[REGION], PAGES * w->page_size, PROT_READ | PROT_WRITE);
	touch_write(w, w->slot[REGION], PAGES);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
}

static const struct mapping *region(const struct trial *t, unsigned step)
{
	return trial_mapping(t, step, 0, WRITE, "address");
}

static int64_t soft_dirty(const struct trial *t, unsigned step)
{
	return trial_soft_dirty(t, step, WRITE, "address");
}

static int64_t of_all_mappings(const struct snapshot *s)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->nr_maps; i++)
		sum += s->maps[i].pagemap.soft_dirty;
	return sum;
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char rule[] = "soft-dirty = the pages written since clear_refs 4";

	if (soft_dirty(t, WRITE) == 0 && soft_dirty(t, WRITE_SOME) == 0)
		return judge_skip(j, "soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)");
	judge_equal(j, WRITE, "pagemap.soft_dirty",
		    trial_value(t, WRITE, 0, METRIC_PAGEMAP_SOFT_DIRTY),
		    of_all_mappings(trial_snapshot(t, WRITE, 0)),
		    "pagemap.soft_dirty is the sum over all mappings");
	judge_equal(j, WRITE, "soft-dirty", soft_dirty(t, WRITE), PAGES,
		    "all pages of a new mapping are soft-dirty");
	judge_equal(j, CLEAR_REFS_4, "soft-dirty", soft_dirty(t, CLEAR_REFS_4), 0, rule);
	judge_equal(j, READ_ALL, "soft-dirty", soft_dirty(t, READ_ALL), 0, rule);
	judge_moved(j, WRITE_SOME, METRIC_PAGEMAP_SOFT_DIRTY,
		    soft_dirty(t, WRITE_SOME) - soft_dirty(t, READ_ALL), WRITTEN, 0, rule);
	if (trial_value(t, WRITE, 0, METRIC_SCAN_SOFT_DIRTY) >= 0)
		judge_moved(j, WRITE_SOME, METRIC_SCAN_SOFT_DIRTY,
			    region(t, WRITE_SOME)->scan.soft_dirty -
				    region(t, READ_ALL)->scan.soft_dirty,
			    WRITTEN, 0, rule);
}

CASE(anonymous_soft_dirty) {
	.claim = "In a mapping that is older than clear_refs 4, bit 55 of pagemap marks exactly "
		 "the pages written since then; no size and no RSS changes",
	.because = "clear_refs 4 clears the soft-dirty bit and the write permission of each "
		   "entry. The next write faults, and the fault sets both again "
		   "(pte_mksoft_dirty()).",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst", "proc_pid_clear_refs(5)"),
	.steps = STEPS(STEP_AS(WRITE, "write", map_and_write,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(2), ANON_WRITE(PAGES))),
		       STEP_AS(CLEAR_REFS_4, "clear_refs 4", step_clear_refs, .refs = '4'),
		       STEP_AS(READ_ALL, "read all", step_read_back, .pages = PAGES, .checks = 1),
		       STEP_AS(WRITE_SOME, "write some", step_write, .pages = WRITTEN)),
	.moves = METRICS(METRIC_PAGEMAP_SOFT_DIRTY, METRIC_SCAN_SOFT_DIRTY),
	.judge = judge,
};
