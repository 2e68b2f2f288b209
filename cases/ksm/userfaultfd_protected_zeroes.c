// SPDX-License-Identifier: MIT
/*
 * Zero-filled pages that userfaultfd write-protects should stay protected when KSM replaces them by
 * the zero page.
 */
#include "watched.h"
#include "zeroes.h"

static void write_and_protect(struct workload *w)
{
	ksm_write_zeroes(w);
	ksm_protect(w, w->slot[REGION], PAGES);
}

static void merge(struct workload *w)
{
	ksm_merge_zeroes(w);
	if (workload_number(KSM "use_zero_pages", NULL, 0))
		workload_die(w, "use_zero_pages is still 1");
	ksm_still_protected(w, w->slot[REGION], PAGES);
}

static void write_all(struct workload *w)
{
	int64_t written = PAGES - ksm_writes_stopped(w, w->slot[REGION], PAGES);

	workload_expect(w, ZERO_PLACED(-written), ANON_WRITE(written));
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact_of(j, "ksm.pages_of_zeroes_that_userfaultfd_protects_are",
		      ksm_judge_stopped(t, j, MERGE), PAGES, "protected no more", "still protected",
		      "protected in part");
}

CASE(ksm_userfaultfd_protected_zeroes) {
	.claim =
		"Zero-filled pages that userfaultfd write-protects should stay protected when KSM replaces them by the zero page; on all tested kernels they do not, and writes to them raise no event",
	.because = "replace_page() makes the entry of the zero page from vm_page_prot, and does "
		   "not copy the uffd-wp bit.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst",
			   "Documentation/admin-guide/mm/ksm.rst, use_zero_pages"),
	.needs = NEEDS("ksm", "guest"),
	.limit_s = 30,
	.steps = STEPS(STEP("write and protect", write_and_protect,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES), UFFD_PROTECTED(PAGES))),
		       STEP_AS(MERGE, "MADV_MERGEABLE", merge,
			       MOVES(ANON_WRITE(-PAGES), ZERO_PLACED(PAGES))),
		       STEP_AS(WRITE, "write", write_all)),
	.facts = FACTS(FACT("ksm.pages_of_zeroes_that_userfaultfd_protects_are",
			    "Zero-filled pages that userfaultfd write-protects and that KSM has "
			    "replaced by the zero page are",
			    "protected no more|still protected")),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1), ZERO_PLACED(1), UFFD_PROTECTED(1)),
	.judge = judge,
};
