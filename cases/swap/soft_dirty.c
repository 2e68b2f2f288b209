// SPDX-License-Identifier: MIT
/*
 * Soft-dirty pages stay soft-dirty on swap and when they are read back. mremap makes all pages that
 * it moves soft-dirty. clear_refs 4 also clears the bit of swapped pages.
 */
#include <rssck/case.h>

enum { PAGES = 128, HALF = PAGES / 2, WRITTEN = 40, REGION = 0, HOLE = 1 };
STEP_SYMBOLS(WRITE, PAGE_OUT, READ_HALF, MREMAP, CLEAR_REFS_4);

/*
 * Maps between PROT_NONE pages, because a mapping that a new one merges with may get VM_SOFTDIRTY.
 */
static void map_and_write(struct workload *w)
{
	char *p = workload_map_pages(w, 2 * PAGES + 3, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	w->slot[REGION] = p + w->page_size;
	w->slot[HOLE] = p + (PAGES + 2) * w->page_size;
	workload_protect(w, w->slot[REGION], PAGES * w->page_size, PROT_READ | PROT_WRITE);
	touch_write(w, w->slot[REGION], PAGES);
	workload_clear_refs(w, '4');
	touch_write(w, w->slot[REGION], WRITTEN);
	workload_report(w, "before", (int64_t)(uintptr_t)w->slot[REGION]);
	workload_report(w, "after", (int64_t)(uintptr_t)w->slot[HOLE]);
}

static void move(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	if (mremap(w->slot[REGION], bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, w->slot[HOLE]) ==
	    MAP_FAILED)
		workload_die(w, "mremap: %m");
}

static void judge_step(const struct trial *t, struct judgement *j, unsigned step, const char *where,
		       int64_t expected, const char *rule)
{
	judge_equal(j, step, "soft-dirty", trial_soft_dirty(t, step, WRITE, where), expected, rule);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char rule[] = "soft-dirty = the pages written since clear_refs 4";

	if (!trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY))
		return judge_skip(j, "soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)");
	judge_step(t, j, WRITE, "before", WRITTEN, rule);
	judge_step(t, j, PAGE_OUT, "before", WRITTEN, rule);
	judge_step(t, j, READ_HALF, "before", WRITTEN, rule);
	judge_step(t, j, MREMAP, "after", PAGES, "every page that mremap moved is soft-dirty");
	judge_step(t, j, CLEAR_REFS_4, "after", 0, rule);
}

CASE(swap_soft_dirty) {
	.claim = "A written page stays soft-dirty on swap; mremap makes every page that it moves "
		 "soft-dirty, swapped or not, and clear_refs 4 clears the bit of every page",
	.because = "A swap entry also has a soft-dirty bit: try_to_unmap_one() sets it "
		   "(pte_swp_mksoft_dirty()), and do_swap_page() copies it back. mremap sets the "
		   "bit of everything that it moves (move_soft_dirty_pte()), because a program "
		   "that tracks writes must read it again.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP_AS(WRITE, "write", map_and_write,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(PAGES + 3), ANON_WRITE(PAGES))),
		       STEP_AS(PAGE_OUT, "page out", step_page_out, .slot = REGION,
			       PAGED_OUT(PAGES)),
		       STEP_AS(READ_HALF, "read half", step_read_from_swap, .pages = HALF,
			       MOVES(SWAPPED(-HALF))),
		       STEP_AS(MREMAP, "mremap", move, MOVES(VIRT_OTHER(-PAGES))),
		       STEP_AS(CLEAR_REFS_4, "clear_refs 4", step_clear_refs, .refs = '4')),
	.judge = judge,
};
