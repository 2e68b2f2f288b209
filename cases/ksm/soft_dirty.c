// SPDX-License-Identifier: MIT
/*
 * KSM merges pages that were written since clear_refs 4; on most kernels only one of them stays
 * soft-dirty.
 */
#include "rounds.h"

/* ONE page of the region becomes the merged page; the others are replaced by it. */
enum { PAGES = 64, ONE = 1, REGION = 0 };
STEP_SYMBOLS(CLEAR_REFS_4_WRITE, MERGEABLE);

static void report_marked(struct workload *w, const char *name)
{
	workload_report(w, name,
			workload_pages_marked(w, w->slot[REGION], PAGES, PAGEMAP_SOFT_DIRTY));
}

/*
 * Maps between two PROT_NONE pages, because a mapping that a new one merges with may get
 * VM_SOFTDIRTY.
 */
static void write_since(struct workload *w)
{
	char *p = workload_map_pages(w, PAGES + 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	p += w->page_size;
	workload_protect(w, p, PAGES * w->page_size, PROT_READ | PROT_WRITE);
	w->slot[REGION] = p;
	workload_clear_refs(w, '4');
	report_marked(w, "before");
	ksm_write_alike(w, p, PAGES);
	report_marked(w, "written");
}

static void merge(struct workload *w)
{
	ksm_merge(w, w->slot[REGION], PAGES);
	report_marked(w, "merged");
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (!trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY))
		return judge_skip(j, "soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)");
	judge_reported(t, j, CLEAR_REFS_4_WRITE, "before", "soft-dirty, after clear_refs 4", 0,
		       "clear_refs 4 clears the soft-dirty bit of all pages");
	judge_reported(t, j, CLEAR_REFS_4_WRITE, "written", "soft-dirty, written", PAGES,
		       "soft-dirty = the pages written since clear_refs 4");
	judge_fact_of(j, "ksm.pages_written_since_clear_refs_4_are",
		      trial_reported(t, MERGEABLE, "merged") - ONE, PAGES - ONE,
		      "soft-dirty no more", "still soft-dirty", "soft-dirty in part");
}

CASE(ksm_soft_dirty) {
	.claim = "Pages written since clear_refs 4 should stay soft-dirty when KSM merges them; "
		 "on most kernels only one of them does",
	.because = "replace_page() makes the entry for the merged page from vm_page_prot. Before "
		   "6.12.118, and still on 7.3.4, it does not copy the old entry's soft-dirty "
		   "bit. The page that becomes the merged page keeps its entry and its bit.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst", "proc_pid_clear_refs(5)"),
	.needs = NEEDS("ksm"),
	.limit_s = 30,
	.steps = STEPS(STEP_AS(CLEAR_REFS_4_WRITE, "clear_refs 4, write", write_since,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(2), ANON_WRITE(PAGES))),
		       STEP_AS(MERGEABLE, "MADV_MERGEABLE", merge,
			       MOVES(ANON_WRITE(-PAGES), MERGED(PAGES, PAGES)))),
	.facts = FACTS(FACT("ksm.pages_written_since_clear_refs_4_are",
			    "Pages that were written since clear_refs 4 and that KSM has "
			    "replaced by another page are",
			    "soft-dirty no more|still soft-dirty")),
	.judge = judge,
};
