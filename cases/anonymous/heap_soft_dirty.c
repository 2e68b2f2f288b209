// SPDX-License-Identifier: MIT
/* Memory that brk adds to the heap is soft-dirty before it is touched. */
#include <rssck/case.h>

enum { PAGES = 64, START = 0 };
STEP_SYMBOLS(CLEAR_REFS_4, BREAK_FURTHER_UP);

static void report(struct workload *w)
{
	const char *p = w->slot[START];
	size_t bytes = PAGES * w->page_size;

	workload_report(w, "old", workload_pages_marked(w, p, PAGES, PAGEMAP_SOFT_DIRTY));
	workload_report(w, "new", workload_pages_marked(w, p + bytes, PAGES, PAGEMAP_SOFT_DIRTY));
}

static void raise_first(struct workload *w)
{
	uintptr_t now = (uintptr_t)workload_break(w, PAGES);

	w->slot[START] = (char *)((now + w->page_size - 1) / w->page_size * w->page_size);
}

static void clear(struct workload *w)
{
	workload_clear_refs(w, '4');
	report(w);
}

static void raise_more(struct workload *w)
{
	workload_break(w, PAGES);
	report(w);
}

static void lower(struct workload *w)
{
	workload_break(w, -2 * PAGES);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (!trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY))
		return judge_skip(j, "soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)");
	judge_reported(t, j, CLEAR_REFS_4, "old", "soft-dirty", 0,
		       "clear_refs 4 clears the soft-dirty bits of the heap");
	judge_reported(t, j, CLEAR_REFS_4, "new", "soft-dirty", 0,
		       "unmapped addresses are not soft-dirty");
	judge_reported(t, j, BREAK_FURTHER_UP, "new", "soft-dirty", PAGES,
		       "new memory is soft-dirty, even if it was never touched");
}

CASE(anonymous_heap_soft_dirty) {
	.claim = "Memory that brk adds to the heap after clear_refs 4 is soft-dirty, although it "
		 "was never touched",
	.because = "A program that tracks writes must notice that the address maps something "
		   "new. do_brk_flags() therefore sets VM_SOFTDIRTY on the heap, and pagemap "
		   "shows bit 55 even for entries without a page.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst", "brk(2)"),
	.steps = STEPS(STEP("raise the break", raise_first, MOVES(VIRT_DATA(PAGES))),
		       STEP_AS(CLEAR_REFS_4, "clear_refs 4", clear),
		       STEP_AS(BREAK_FURTHER_UP, "raise it further", raise_more,
			       MOVES(VIRT_DATA(PAGES))),
		       STEP("lower it completely", lower, MOVES(VIRT_DATA(-2 * PAGES)))),
	.judge = judge,
};
