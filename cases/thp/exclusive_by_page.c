// SPDX-License-Identifier: MIT
/*
 * Checks bit 56 of pagemap for each page of a huge page when another process maps only a part of
 * it.
 */
#include <rssck/case.h>

enum { REGION = 0, UNMAPPED = 7 };
STEP_SYMBOLS(SHARE_A_PART);

static int64_t keep_some(const struct workload *w)
{
	size_t end = UNMAPPED * w->page_size;
	char *p = w->slot[REGION];

	munmap(p, end);
	munmap(p + w->huge_page_size - end, end);
	return 0;
}

/*
 * Starts and ends the child in one step: if bit 56 is wrong, the sources disagree while the child
 * runs.
 */
static void look(struct workload *w)
{
	pid_t pid = workload_companion(w, keep_some, NULL);
	char *p = w->slot[REGION];

	workload_report(w, "exclusive",
			workload_pages_marked(w, p, (size_t)w->huge, PAGEMAP_EXCLUSIVE));
	workload_report(w, "private", workload_pages_private(w, p));
	workload_report(w, "all", w->huge);
	workload_companion_ends(pid);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t exclusive = trial_reported(t, SHARE_A_PART, "exclusive");
	int64_t private = trial_reported(t, SHARE_A_PART, "private");
	int64_t all = trial_reported(t, SHARE_A_PART, "all");

	judge_fact(j, "pagemap.bit_56_of_a_huge_page_shared_in_part", "%s",
		   exclusive == private && private == 2 * UNMAPPED ? "page by page"
		   : exclusive == private && private == 0          ? "of the folio"
		   : exclusive == 0 || exclusive == all            ? "of the first page"
								   : "otherwise");
}

CASE(thp_exclusive_by_page) {
	.claim =
		"Bit 56 of pagemap (exclusively mapped) should be set for each page of a PMD-mapped huge page separately; on most kernels the first page decides for all of them",
	.because = "From 6.11 to 6.15, and on 6.6.150, pagemap_pmd_range() reads the mapcount of "
		   "each page of the folio, as smaps does. Other kernels read the first page's "
		   "mapcount for each page. Kernels without a mapcount per page "
		   "(CONFIG_NO_PAGE_MAPCOUNT) use the folio's mapcount for pagemap and smaps.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", step_huge_page),
		       STEP_AS(SHARE_A_PART, "share a part", look)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.facts = FACTS(FACT(
		"pagemap.bit_56_of_a_huge_page_shared_in_part",
		"For a huge page shared in part, bit 56 of pagemap (exclusively mapped) shows the state",
		"page by page|of the folio|of the first page")),
	.judge = judge,
};
