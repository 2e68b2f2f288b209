// SPDX-License-Identifier: MIT
/*
 * mprotect() of pages not written since clear_refs 4 moves no RES, and should not make them
 * soft-dirty.
 */
#include <rssck/case.h>

enum { REGION = 0 };
STEP_SYMBOLS(WRITE_A_HUGE_PAGE, DONTNEED, CLEAR_REFS_4, WRITE_THE_FIRST, PROTECT);

/* The mapping is advised, so that it has no neighbours to merge with. */
static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	workload_huge_write(w, w->slot[REGION], 1);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
	workload_report(w, "pages", w->huge);
	workload_expect(w, VIRT_DATA(w->huge), ANON_HUGE(w->huge));
}

/* The rest of the huge page is then mapped by entries of its own. */
static void give_up_first(struct workload *w)
{
	workload_must(w, madvise(w->slot[REGION], w->page_size, MADV_DONTNEED), "MADV_DONTNEED");
	workload_expect(w, ANON_HUGE(-w->huge), ANON_WRITE(w->huge - 1));
}

static void write_first(struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	workload_expect(w, ANON_WRITE(1));
}

static void protect(struct workload *w)
{
	workload_must(w, mprotect(w->slot[REGION], w->huge_page_size, PROT_READ), "mprotect");
	workload_expect(w, DATA_TO_OTHER(w->huge));
}

static int64_t soft_dirty(const struct trial *t, unsigned step)
{
	const struct mapping *m = trial_mapping(t, step, 0, WRITE_A_HUGE_PAGE, "address");

	return m ? m->pagemap.soft_dirty : -1;
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
	judge_fact(j, "thp.unmarked_pages_that_mprotect_protects_are", "%s",
		   protected == 1      ? "unmarked"
		   : protected == huge ? "soft-dirty"
				       : "some of both");
}

CASE(thp_soft_dirty_protect) {
	.claim =
		"mprotect() of the small pages of a huge page moves no RES, whether or not they are soft-dirty",
	.because = "mprotect() rewrites the entries and keeps the pages. Since 6.17 it takes the "
		   "entries of a large folio as one batch and gathers their dirty bits by "
		   "pte_mkdirty(), which on x86 sets soft-dirty as well: pages not written since "
		   "clear_refs 4 are marked.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(WRITE_A_HUGE_PAGE, "write a huge page", map_and_write),
		       STEP_AS(DONTNEED, "MADV_DONTNEED", give_up_first),
		       STEP_AS(CLEAR_REFS_4, "clear_refs 4", step_clear_refs, .refs = '4'),
		       STEP_AS(WRITE_THE_FIRST, "write the first page", write_first),
		       STEP_AS(PROTECT, "mprotect", protect)),
	.posts = POSTS(VIRT_DATA(1), VIRT_OTHER(1), ANON_HUGE(1), ANON_WRITE(1)),
	.facts = FACTS(
		FACT("thp.unmarked_pages_that_mprotect_protects_are",
		     "Pages of a split huge page that are not soft-dirty are, after mprotect(),",
		     "unmarked|soft-dirty")),
	.judge = judge,
};
