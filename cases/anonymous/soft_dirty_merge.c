// SPDX-License-Identifier: MIT
/* Pages written in a new mapping must stay soft-dirty when the mapping merges with an older one. */
#include <rssck/case.h>

enum { PAGES = 32, HALF = PAGES / 2, WRITTEN = 5, REGION = 0 };
STEP_SYMBOLS(MERGE, WRITE_SOME);

/*
 * The lower half exists at clear_refs 4. It is read-only until the new upper half is mapped. Both
 * halves are written before mprotect() merges them, because the halves may not merge if only one of
 * them has an anon_vma.
 */
static void map_and_merge(struct workload *w)
{
	size_t half = HALF * w->page_size;
	char *p = workload_map_pages(w, PAGES + 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	p += w->page_size;
	workload_protect(w, p, half, PROT_READ | PROT_WRITE);
	touch_write(w, p, HALF);
	workload_protect(w, p, half, PROT_READ);
	workload_clear_refs(w, '4');
	workload_report(w, "old", workload_pages_marked(w, p, HALF, PAGEMAP_SOFT_DIRTY));
	if (mmap(p + half, half, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		 -1, 0) == MAP_FAILED)
		workload_die(w, "mmap: %m");
	touch_write(w, p + half, 1);
	workload_protect(w, p, half, PROT_READ | PROT_WRITE);
	w->slot[REGION] = p;
	workload_report(
		w, "new",
		workload_pages_marked(w, p + half + w->page_size, HALF - 1, PAGEMAP_SOFT_DIRTY));
	workload_report(w, "address", (int64_t)(uintptr_t)p);
}

static void write_some(struct workload *w)
{
	char *new = (char *)w->slot[REGION] + HALF * w->page_size;

	touch_write(w, new, WRITTEN);
	workload_report(w, "written", workload_pages_marked(w, new, WRITTEN, PAGEMAP_SOFT_DIRTY));
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, MERGE, 0, MERGE, "address");
	int64_t marked = trial_reported(t, MERGE, "new");
	int64_t size = m ? (int64_t)(m->end - m->start) / t->host->page_size : 0;

	if (!trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY))
		return judge_skip(j, "soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)");
	judge_reported(t, j, MERGE, "old", "soft-dirty", 0,
		       "clear_refs 4 clears the bits of the pages that were written");
	judge_reported(t, j, WRITE_SOME, "written", "soft-dirty", WRITTEN,
		       "pages written after clear_refs 4 are soft-dirty, even if the mapping "
		       "merged");
	if (size != PAGES)
		return; /* the mappings did not merge */
	judge_fact_of(j, "soft_dirty.a_new_mapping_that_merges", marked, HALF - 1, "becomes clean",
		      "stays soft-dirty", "is soft-dirty in part");
	judge_true(j, MERGE, (marked == HALF - 1) == mapping_has_flag(m, "sd"),
		   "VmFlags has sd if and only if a page that was never touched is soft-dirty");
}

CASE(anonymous_soft_dirty_merge) {
	.claim =
		"When a mapping made after clear_refs 4 merges with an older one, its written pages are soft-dirty; its untouched pages are soft-dirty only since 6.19",
	.because = "Mappings merge even if their VM_SOFTDIRTY differs. Up to 6.18 the merged "
		   "mapping keeps only the older one's flags. Since 6.19 VM_SOFTDIRTY is sticky: "
		   "the merged mapping has it, so that a program that tracks writes reads all of "
		   "it.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst"),
	.steps = STEPS(STEP_AS(MERGE, "merge", map_and_merge,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(2), ANON_WRITE(HALF + 1))),
		       STEP_AS(WRITE_SOME, "write some", write_some,
			       MOVES(ANON_WRITE(WRITTEN - 1)))),
	.facts = FACTS(FACT("soft_dirty.a_new_mapping_that_merges",
			    "A new mapping that merges with a soft-dirty neighbour",
			    "stays soft-dirty|becomes clean")),
	.judge = judge,
};
