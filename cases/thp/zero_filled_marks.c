// SPDX-License-Identifier: MIT
/*
 * Checks whether zero-filled pages stay soft-dirty, and protected by userfaultfd, when their huge
 * page is split.
 */
#include <rssck/case.h>

/* Up to WRITTEN pages of each huge page have content. */
enum { WRITTEN = 2 };
STEP_SYMBOLS(SOFT_DIRTY, PROTECTED);

static int64_t huge_kb(void)
{
	return workload_number("/proc/self/smaps_rollup", "AnonHugePages", 0);
}

/*
 * Splits a huge page of which few pages have content. Reports how many of its pages have the mark
 * in pagemap before and after the split. If the first page has no mark before, skips the step with
 * the reason `needs`.
 */
static void split(struct workload *w, char *p, uint64_t mark, const char *needs)
{
	size_t pages = (size_t)w->huge;
	int64_t huge = huge_kb();

	if (!workload_pages_marked(w, p, 1, mark)) {
		workload_unmap(w, p, w->huge_page_size);
		workload_skip_step(w, "%s", needs);
	}
	workload_report(w, "before", workload_pages_marked(w, p, pages, mark));
	if (madvise(p, w->huge_page_size / 2, MADV_COLD) < 0)
		workload_skip_step(w, "MADV_COLD (Linux 5.4): %m");
	workload_report(w, "after", workload_pages_marked(w, p, pages, mark));
	workload_report(w, "fell", huge - huge_kb());
	workload_unmap(w, p, w->huge_page_size);
}

static char *huge_page(struct workload *w)
{
	char *p = workload_huge_map(w, 1, -1);

	workload_huge_write(w, p, 1);
	return p;
}

/*
 * clear_refs 4 also makes the mapping itself clean, so that pagemap shows the bits of the entries.
 */
static void soft_dirty(struct workload *w)
{
	char *p = huge_page(w);

	workload_clear_refs(w, '4');
	touch_write(w, p, 1);
	split(w, p, PAGEMAP_SOFT_DIRTY, "soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)");
}

static void protected(struct workload *w)
{
	char *p = huge_page(w);
	int uffd = workload_userfaultfd(w, p, w->huge_page_size, UFFDIO_REGISTER_MODE_WP, 0);

	workload_must(w, workload_userfaultfd_protect(uffd, p, w->huge_page_size, true),
		      "UFFDIO_WRITEPROTECT");
	split(w, p, PAGEMAP_UFFD_WP, "userfaultfd's protection in pagemap (Linux 5.14)");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		unsigned step;
		const char *fact;
	} marks[] = { { SOFT_DIRTY, "thp.soft_dirty_of_zero_filled_pages_when_it_is_split" },
		      { PROTECTED, "thp.protection_of_zero_filled_pages_when_it_is_split" } };

	for (size_t i = 0; i < 2; i++) {
		int64_t before = trial_reported_or(t, marks[i].step, "before", -1), after;

		if (before < 0)
			continue;
		after = trial_reported(t, marks[i].step, "after");
		judge_true(
			j, marks[i].step,
			before == (int64_t)t->host->huge_page_size / t->host->page_size,
			"before the split, each page of the huge page has the bit (soft-dirty or uffd-wp)");
		judge_true(j, marks[i].step, trial_reported(t, marks[i].step, "fell") > 0,
			   "MADV_COLD of a half splits the huge page");
		judge_fact(j, marks[i].fact, "%s",
			   after == before    ? "stays"
			   : after <= WRITTEN ? "lost"
					      : "otherwise");
	}
}

CASE(thp_zero_filled_marks) {
	.claim = "When MADV_COLD of a part splits a huge page, its zero-filled pages should keep "
		 "soft-dirty and userfaultfd's protection; some kernels lose them",
	.because = "try_to_map_unused_to_zeropage() makes a new entry for the zero page. Since "
		   "6.12.57, 6.17.7 and 6.18 it copies the bits of the old entry.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst",
			   "Documentation/admin-guide/mm/userfaultfd.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(SOFT_DIRTY, "soft-dirty", soft_dirty),
		       STEP_AS(PROTECTED, "protected by userfaultfd", protected)),
	.facts = FACTS(
		FACT("thp.soft_dirty_of_zero_filled_pages_when_it_is_split",
		     "When MADV_COLD splits a huge page, soft-dirty of its zero-filled pages",
		     "stays|lost"),
		FACT("thp.protection_of_zero_filled_pages_when_it_is_split",
		     "When MADV_COLD splits a huge page, userfaultfd's protection of its zero-filled pages",
		     "stays|lost")),
	.judge = judge,
};
