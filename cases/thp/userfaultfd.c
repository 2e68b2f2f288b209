// SPDX-License-Identifier: MIT
/* A huge page that userfaultfd write-protects stays protected after a split, page by page. */
#include <rssck/case.h>

enum { REGION = 0, UFFD = 0, SEEN = 0, DIRTY = 1 };
STEP_SYMBOLS(PROTECT);

static void map_and_touch(struct workload *w)
{
	w->slot[REGION] = workload_huge_page(w);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], w->huge_page_size,
					   UFFDIO_REGISTER_MODE_WP, 0);
	w->number[DIRTY] = PAGE_DIRTY;
}

static unsigned dirty(const struct workload *w)
{
	return (unsigned)w->number[DIRTY];
}

/*
 * pagemap shows bit 57 since 5.14. Some kernels lose the PMD's dirty bit here
 * (thp/split_by_protect).
 */
static void protect(struct workload *w)
{
	if (workload_userfaultfd_protect(w->fd[UFFD], w->slot[REGION], w->huge_page_size, true) < 0)
		workload_skip(w, "UFFDIO_WRITEPROTECT: %m");
	w->number[SEEN] = workload_pages_marked(w, w->slot[REGION], (size_t)w->huge,
						PAGEMAP_UFFD_WP);
	if (workload_pages_clean(w, w->slot[REGION]))
		w->number[DIRTY] = 0;
	workload_expect(w, ANON_HUGE(-w->huge),
			POSTING(ACCOUNT_ANON, dirty(w) | PAGE_HUGE, w->huge),
			UFFD_PROTECTED(w->number[SEEN]));
	workload_report(w, "seen", w->number[SEEN]);
	workload_report(w, "pages", w->huge);
}

static void dontneed_one(struct workload *w)
{
	workload_advise(w, w->slot[REGION], w->page_size, MADV_DONTNEED);
	workload_expect(w, POSTING(ACCOUNT_ANON, dirty(w) | PAGE_HUGE, -w->huge),
			POSTING(ACCOUNT_ANON, dirty(w), w->huge - 1));
	if (w->number[SEEN])
		workload_expect(w, UFFD_PROTECTED(-1));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t seen = trial_reported(t, PROTECT, "seen");

	judge_fact_of(j, "userfaultfd.pagemap_bit_57_of_a_PMD", seen,
		      trial_reported(t, PROTECT, "pages"), "no", "yes", "some");
}

CASE(thp_userfaultfd) {
	.claim =
		"An anonymous huge page stays huge when UFFDIO_WRITEPROTECT protects all of it; after a split each of its pages is still protected",
	.because = "change_huge_pmd() sets the PMD's uffd-wp bit. __split_huge_pmd_locked() "
		   "copies it to each entry that it writes.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_WRITEPROTECT",
			   "Documentation/admin-guide/mm/userfaultfd.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", map_and_touch),
		       STEP_AS(PROTECT, "protect", protect),
		       STEP("MADV_DONTNEED one page", dontneed_one)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.facts = FACTS(FACT("userfaultfd.pagemap_bit_57_of_a_PMD",
			    "Does bit 57 of pagemap show that a huge page is write-protected?",
			    "yes|no")),
	.judge = judge,
};
