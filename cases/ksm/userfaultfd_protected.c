// SPDX-License-Identifier: MIT
/* KSM merges pages that userfaultfd write-protects; then a write raises no event. */
#include "rounds.h"
#include "watched.h"

/* ONE is the page that the others are merged into. */
enum { PAGES = 64, ONE = 1, REGION = 0 };

/* All pages alike, and different from other processes' pages. */
static void write_and_protect(struct workload *w)
{
	char *p = w->slot[REGION] = workload_anonymous(w, PAGES);

	for (size_t i = 0; i < PAGES; i++)
		snprintf(p + i * w->page_size, 64, "rssck %d", (int)getpid());
	ksm_protect(w, p, PAGES);
}

static void merge(struct workload *w)
{
	ksm_merge(w, w->slot[REGION], PAGES);
	ksm_still_protected(w, w->slot[REGION], PAGES);
}

/* n pages merged into one. */
#define MERGED(n, by) ANON_WRITE(n, .also = PAGE_KSM, .sharers = (by))

static void write_all(struct workload *w)
{
	int64_t stopped = ksm_writes_stopped(w, w->slot[REGION], PAGES);

	workload_expect(w, MERGED(-PAGES, PAGES), MERGED(stopped, stopped),
			ANON_WRITE(PAGES - stopped));
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact_of(j, "ksm.pages_that_userfaultfd_protects_are",
		      ksm_judge_stopped(t, j, MERGE) - ONE, PAGES - ONE, "protected no more",
		      "still protected", "protected in part");
}

CASE(ksm_userfaultfd_protected) {
	.claim = "Pages that userfaultfd write-protects should stay protected when KSM merges "
		 "them. On all kernels so far only one of them does, and no event reports "
		 "writes to the others",
	.because = "replace_page() makes the entry that leads to the merged page from "
		   "vm_page_prot and does not take over userfaultfd's mark. The page that the "
		   "others become keeps its own entry, and with it the mark.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst",
			   "ioctl_userfaultfd(2), UFFDIO_WRITEPROTECT"),
	.needs = NEEDS("ksm"),
	.limit_s = 30,
	.steps = STEPS(STEP("write and protect", write_and_protect,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES), UFFD_PROTECTED(PAGES))),
		       STEP_AS(MERGE, "MADV_MERGEABLE", merge,
			       MOVES(ANON_WRITE(-PAGES), MERGED(PAGES, PAGES))),
		       STEP_AS(WRITE, "write", write_all)),
	.facts = FACTS(FACT("ksm.pages_that_userfaultfd_protects_are",
			    "Once KSM has merged them into another, pages that userfaultfd "
			    "write-protects are",
			    "protected no more|still protected")),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1), UFFD_PROTECTED(1)),
	.judge = judge,
};
