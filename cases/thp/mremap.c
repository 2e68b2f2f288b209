// SPDX-License-Identifier: MIT
/*
 * mremap moves a huge page as a whole to an aligned address, and page by page to any other address.
 */
#include <rssck/case.h>

enum { HUGE = 4, REGION = 0, BASE = 1 };
STEP_SYMBOLS(TOUCH_ONE_HUGE_PAGE, CLEAR_REFS_4, MOVE_IT_ALIGNED, MOVE_IT_BY_A_PAGE);

/*
 * Reserves the new places with PROT_NONE, so that the moved mapping does not merge with another
 * one.
 */
static void map_and_touch(struct workload *w)
{
	size_t huge = w->huge_page_size;
	char *p = workload_huge_map(w, HUGE, -1);

	workload_protect(w, p + huge, (HUGE - 1) * huge, PROT_NONE);
	workload_huge_write(w, p, 1);
	w->slot[REGION] = w->slot[BASE] = p;
	workload_report(w, "pages", w->huge);
	workload_report(w, "address", (int64_t)(uintptr_t)p);
	workload_expect(w, VIRT_DATA(w->huge), VIRT_OTHER((HUGE - 1) * w->huge),
			ANON_HUGE(w->huge));
}

static void move(struct workload *w, size_t offset)
{
	void *p = mremap(w->slot[REGION], w->huge_page_size, w->huge_page_size,
			 MREMAP_MAYMOVE | MREMAP_FIXED, (char *)w->slot[BASE] + offset);

	if (p == MAP_FAILED)
		workload_die(w, "mremap: %m");
	w->slot[REGION] = p;
	workload_report(w, "address", (int64_t)(uintptr_t)p);
}

static void move_aligned(struct workload *w)
{
	move(w, 2 * w->huge_page_size);
	workload_expect(w, VIRT_OTHER(-w->huge));
}

/*
 * Moves the huge page to one page behind its first place: over the hole that the first move left,
 * and one reserved page.
 */
static void move_askew(struct workload *w)
{
	move(w, w->page_size);
	workload_expect(w, VIRT_OTHER(-1), ANON_HUGE(-w->huge), ANON_WRITE(w->huge));
}

static void judge_moved_mapping(const struct trial *t, struct judgement *j, unsigned step)
{
	judge_equal(j, step, "soft-dirty", trial_soft_dirty(t, step, step, "address"),
		    trial_reported(t, TOUCH_ONE_HUGE_PAGE, "pages"), "moved pages are soft-dirty");
}

static void judge(const struct trial *t, struct judgement *j)
{
	/* Without CONFIG_MEM_SOFT_DIRTY no page is ever soft-dirty. */
	if (trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY) <= 0)
		return;
	judge_equal(j, CLEAR_REFS_4, "soft-dirty",
		    trial_soft_dirty(t, CLEAR_REFS_4, TOUCH_ONE_HUGE_PAGE, "address"), 0,
		    "soft-dirty = the pages written since clear_refs 4");
	judge_moved_mapping(t, j, MOVE_IT_ALIGNED);
	judge_moved_mapping(t, j, MOVE_IT_BY_A_PAGE);
}

CASE(thp_mremap) {
	.claim = "When mremap moves a huge page to an aligned address, the page stays huge; to "
		 "any other address mremap moves its pages separately. RES does not change in "
		 "either case",
	.because =
		"move_huge_pmd() moves the PMD with its deposited page table, and sets soft-dirty. If the new address is not aligned, move_page_tables() splits the PMD and moves one entry per page.",
	.said_by = SAID_BY("mremap(2)", "Documentation/mm/transhuge.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(TOUCH_ONE_HUGE_PAGE, "touch one huge page", map_and_touch),
		       STEP_AS(CLEAR_REFS_4, "clear_refs 4", step_clear_refs, .refs = '4'),
		       STEP_AS(MOVE_IT_ALIGNED, "move the page, aligned", move_aligned),
		       STEP_AS(MOVE_IT_BY_A_PAGE, "move it by one page", move_askew)),
	.posts = POSTS(VIRT_DATA(1), VIRT_OTHER(1), ANON_HUGE(1), ANON_WRITE(1)),
	.judge = judge,
};
