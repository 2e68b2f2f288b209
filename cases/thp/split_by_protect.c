// SPDX-License-Identifier: MIT
/* Protecting a part of a huge page splits its mapping: AnonHugePages falls, RES does not change. */
#include <rssck/case.h>

enum { REGION = 0, CLEAN = 0 };
STEP_SYMBOLS(PROTECT_ALL_OF_IT);

static void protect(struct workload *w, size_t bytes, int prot)
{
	workload_protect(w, w->slot[REGION], bytes, prot);
}

/* Some kernels lose the PMD's dirty bit here. All other numbers must agree with smaps. */
static void protect_all(struct workload *w)
{
	int64_t clean;

	protect(w, w->huge_page_size, PROT_READ);
	clean = w->number[CLEAN] = workload_pages_clean(w, w->slot[REGION]);
	workload_expect(w, DATA_TO_OTHER(w->huge), ANON_HUGE(-clean),
			ANON_CLEAN(clean, .also = PAGE_HUGE));
	workload_report(w, "clean", clean);
}

static void unprotect_half(struct workload *w)
{
	int64_t clean = w->number[CLEAN];

	protect(w, w->huge_page_size / 2, PROT_READ | PROT_WRITE);
	workload_expect(w, DATA_TO_OTHER(-w->huge / 2), ANON_HUGE(clean - w->huge),
			ANON_WRITE(w->huge - clean), ANON_CLEAN(-clean, .also = PAGE_HUGE),
			ANON_CLEAN(clean));
}

/* Writing sets the dirty bits that mprotect() has lost. */
static void write_half(struct workload *w)
{
	workload_rewrite(w, w->slot[REGION], (size_t)w->huge / 2);
	workload_expect(w, ANON_CLEAN(-w->number[CLEAN] / 2), ANON_WRITE(w->number[CLEAN] / 2));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t clean = trial_reported(t, PROTECT_ALL_OF_IT, "clean");

	judge_fact_of(j, "thp.written_page_after_mprotect_is", clean,
		      t->host->huge_page_size / t->host->page_size, "dirty", "clean",
		      "some of both");
}

CASE(thp_split_by_protect) {
	.claim = "mprotect() of a whole huge page keeps it huge; mprotect() of a part splits its "
		 "mapping. RES does not change in either case",
	.because =
		"change_huge_pmd() changes only the PMD. If the range ends inside the huge page, it becomes two mappings, and __split_huge_pmd() writes one entry per page for the same memory.",
	.said_by = SAID_BY("Documentation/mm/transhuge.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", step_huge_page),
		       STEP_AS(PROTECT_ALL_OF_IT, "protect all pages", protect_all),
		       STEP("unprotect half", unprotect_half),
		       STEP("write that half", write_half, .checks = 1)),
	.posts = POSTS(VIRT_DATA(1), VIRT_OTHER(1), ANON_HUGE(1)),
	.facts = FACTS(FACT("thp.written_page_after_mprotect_is",
			    "A written huge page, after mprotect(), is", "dirty|clean")),
	.judge = judge,
};
