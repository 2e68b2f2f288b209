// SPDX-License-Identifier: MIT
/* mincore and pagemap report the same from the middle of a huge page as from its start. */
#include <rssck/case.h>

enum { REGION = 0, SOME = 7 };

static void must_be(struct workload *w, size_t first, size_t n, size_t expected)
{
	const char *p = w->slot[REGION];
	int64_t seen = workload_pages_in_core(w, p + first * w->page_size, n);

	if (seen != (int64_t)expected)
		workload_fail(w, "mincore reports %lld of %zu pages as resident, from page %zu on",
			      (long long)seen, n, first);
	workload_checked(w);
}

static void map(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	must_be(w, 0, (size_t)w->huge, 0);
	workload_expect(w, VIRT_DATA(w->huge));
}

static void write_byte(struct workload *w)
{
	workload_huge_write(w, w->slot[REGION], 1);
	must_be(w, 0, (size_t)w->huge, (size_t)w->huge);
	must_be(w, SOME, SOME, SOME);
	must_be(w, (size_t)w->huge - 1, 1, 1);
	workload_expect(w, ANON_HUGE(w->huge));
}

static void read_entries(struct workload *w)
{
	if (!workload_entries_run_on(w, w->slot[REGION], (size_t)w->huge))
		workload_fail(
			w,
			"the pagemap entry of a page in the huge page is not that of its first page, with the frame number advanced");
	workload_checked(w);
}

CASE(thp_from_the_middle) {
	.claim = "mincore and pagemap report the same from the middle of a huge page as from its "
		 "start: every page is resident and every frame is right",
	.because = "mincore_pte_range() fills in the requested part of the PMD. "
		   "pagemap_pmd_range() adds the offset inside the huge page to the frame number.",
	.said_by = SAID_BY("mincore(2)", "Documentation/admin-guide/mm/pagemap.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("map", map, .checks = 1),
		       STEP("write one byte", write_byte, .checks = 3),
		       STEP("read pagemap", read_entries, .checks = 1)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
};
