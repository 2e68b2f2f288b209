// SPDX-License-Identifier: MIT
/* When a soft-dirty huge page is split, each of its pages stays soft-dirty. */
#include <rssck/case.h>

enum { HUGE = 2, REGION = 0 };
STEP_SYMBOLS(WRITE_TWO_HUGE_PAGES, CLEAR_REFS_4, WRITE_TO_THE_FIRST, DONTNEED);

/*
 * The mapping does not merge with another one, because workload_huge_write() leaves MADV_NOHUGEPAGE
 * on it.
 */
static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, HUGE, -1);
	workload_huge_write(w, w->slot[REGION], HUGE);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
	workload_report(w, "pages", w->huge);
	workload_expect(w, VIRT_DATA(HUGE * w->huge), ANON_HUGE(HUGE * w->huge));
}

/* Small entries map the rest of each huge page after its first page is dropped. */
static void give_up_first(struct workload *w)
{
	for (int i = 0; i < HUGE; i++)
		workload_advise(w, (char *)w->slot[REGION] + (size_t)i * w->huge_page_size,
				w->page_size, MADV_DONTNEED);
	workload_expect(w, ANON_HUGE(-HUGE * w->huge), ANON_WRITE(HUGE * (w->huge - 1)));
}

static int64_t soft_dirty(const struct trial *t, unsigned step)
{
	return trial_soft_dirty(t, step, WRITE_TWO_HUGE_PAGES, "address");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char
		rule[] = "soft-dirty = the huge pages written since clear_refs 4, in full";
	int64_t split, huge = trial_reported(t, WRITE_TWO_HUGE_PAGES, "pages");

	if (!trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY))
		return judge_skip(j, "soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)");
	judge_equal(j, CLEAR_REFS_4, "soft-dirty", soft_dirty(t, CLEAR_REFS_4), 0, rule);
	judge_equal(j, WRITE_TO_THE_FIRST, "soft-dirty", soft_dirty(t, WRITE_TO_THE_FIRST), huge,
		    rule);
	split = soft_dirty(t, DONTNEED);
	judge_fact_of(j, "thp.split_of_an_unmarked_page_is", split - (huge - 1), huge - 1,
		      "unmarked", "soft-dirty", "soft-dirty in part");
}

CASE(thp_soft_dirty_split) {
	.claim = "When a soft-dirty huge page is split, each of its pages is soft-dirty",
	.because =
		"__split_huge_pmd_locked() copies the PMD's soft-dirty bit to each entry that it writes. If it also sets the dirty bit, pte_mkdirty() on x86 sets soft-dirty, even if the PMD was not soft-dirty.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(WRITE_TWO_HUGE_PAGES, "write two huge pages", map_and_write),
		       STEP_AS(CLEAR_REFS_4, "clear_refs 4", step_clear_refs, .refs = '4'),
		       STEP_AS(WRITE_TO_THE_FIRST, "write to the first page", step_write,
			       .pages = 1),
		       STEP_AS(DONTNEED, "MADV_DONTNEED", give_up_first)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1), ANON_WRITE(1)),
	.facts = FACTS(FACT("thp.split_of_an_unmarked_page_is",
			    "After a split, the pages of a huge page that was not soft-dirty are",
			    "unmarked|soft-dirty")),
	.judge = judge,
};
