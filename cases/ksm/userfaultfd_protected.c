// SPDX-License-Identifier: MIT
/*
 * KSM merges pages that userfaultfd write-protects; on all tested kernels only one of them stays
 * protected.
 */
#include "rounds.h"
#include "watched.h"

/* ONE page of the region becomes the merged page; the others are replaced by it. */
enum { PAGES = 64, ONE = 1, REGION = 0 };

static void write_and_protect(struct workload *w)
{
	ksm_map_alike(w, REGION, PAGES);
	ksm_protect(w, w->slot[REGION], PAGES);
}

static void merge(struct workload *w)
{
	ksm_merge(w, w->slot[REGION], PAGES);
	ksm_still_protected(w, w->slot[REGION], PAGES);
}

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
	.claim =
		"Pages that userfaultfd write-protects should stay protected when KSM merges them; on all tested kernels only one of them does, and writes to the others raise no event",
	.because = "replace_page() makes the entry for the merged page from vm_page_prot, and "
		   "does not copy the uffd-wp bit. The page that becomes the merged page keeps "
		   "its entry and its bit.",
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
			    "Pages that userfaultfd write-protects and that KSM has replaced by "
			    "another page are",
			    "protected no more|still protected")),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1), UFFD_PROTECTED(1)),
	.judge = judge,
};
