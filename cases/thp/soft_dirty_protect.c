// SPDX-License-Identifier: MIT
/*
 * mprotect() does not change RES. It should not set soft-dirty on pages that were not written since
 * clear_refs 4.
 */
#include <rssck/case.h>

enum { REGION = 0 };
STEP_SYMBOLS(WRITE_A_HUGE_PAGE, DONTNEED, CLEAR_REFS_4, WRITE_THE_FIRST, PROTECT);

/*
 * The mapping does not merge with another one, because workload_huge_write() leaves MADV_NOHUGEPAGE
 * on it.
 */
static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	workload_huge_write(w, w->slot[REGION], 1);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
	workload_report(w, "pages", w->huge);
	workload_expect(w, VIRT_DATA(w->huge), ANON_HUGE(w->huge));
}

static int64_t soft_dirty(const struct trial *t, unsigned step)
{
	return trial_soft_dirty(t, step, WRITE_A_HUGE_PAGE, "address");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char rule[] = "soft-dirty = the pages written since clear_refs 4";
	int64_t huge = trial_reported(t, WRITE_A_HUGE_PAGE, "pages"), protected;

	if (!trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY))
		return judge_skip(j, "soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)");
	judge_equal(j, CLEAR_REFS_4, "soft-dirty", soft_dirty(t, CLEAR_REFS_4), 0, rule);
	judge_equal(j, WRITE_THE_FIRST, "soft-dirty", soft_dirty(t, WRITE_THE_FIRST), 1, rule);
	protected = soft_dirty(t, PROTECT);
	judge_fact_of(j, "thp.unmarked_pages_that_mprotect_protects_are", protected - 1, huge - 1,
		      "unmarked", "soft-dirty", "some of both");
}

CASE(thp_soft_dirty_protect) {
	.claim = "mprotect() of the small pages of a huge page does not change RES, whether they "
		 "are soft-dirty or not",
	.because = "mprotect() rewrites the entries and keeps the pages. Since 6.17 it changes "
		   "the entries of a large folio in one batch, and collects their dirty bits by "
		   "pte_mkdirty(). On x86 this also sets soft-dirty, even for pages not written "
		   "since clear_refs 4.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(WRITE_A_HUGE_PAGE, "write a huge page", map_and_write),
		       /* After this, small entries map the rest of the huge page. */
		       STEP_AS(DONTNEED, "MADV_DONTNEED", step_advise, .pages = 1,
			       .advice = MADV_DONTNEED,
			       MOVES(ANON_HUGE(-THP), ANON_WRITE(THP - 1))),
		       STEP_AS(CLEAR_REFS_4, "clear_refs 4", step_clear_refs, .refs = '4'),
		       STEP_AS(WRITE_THE_FIRST, "write the first page", step_write, .pages = 1,
			       MOVES(ANON_WRITE(1))),
		       STEP_AS(PROTECT, "mprotect", step_protect, .pages = THP, .prot = PROT_READ,
			       MOVES(DATA_TO_OTHER(THP)))),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.facts = FACTS(
		FACT("thp.unmarked_pages_that_mprotect_protects_are",
		     "After mprotect(), pages of a split huge page that were not soft-dirty are",
		     "unmarked|soft-dirty")),
	.judge = judge,
};
