// SPDX-License-Identifier: MIT
/* Bit 61 of pagemap should be set for page cache that a PMD maps. Some kernels do not set it. */
#include <rssck/case.h>

enum { SHMEM = 0 };
STEP_SYMBOLS(MAP_SHMEM_BY_A_PMD, READ_THE_HUGE_ZERO_PAGE);

static void map_and_collapse(struct workload *w)
{
	int fd = workload_shmem(w, (size_t)w->huge);

	w->slot[SHMEM] = workload_huge_map(w, 1, fd);
	touch_write(w, w->slot[SHMEM], (size_t)w->huge);
	workload_collapse(w, w->slot[SHMEM], w->huge_page_size);
	workload_report(w, "marked",
			workload_pages_marked(w, w->slot[SHMEM], (size_t)w->huge, PAGEMAP_FILE));
	workload_report(w, "pages", w->huge);
	workload_expect(w, VIRT_OTHER(w->huge), SHMEM_HUGE(w->huge));
}

static void read_nothing(struct workload *w)
{
	void *p = workload_huge_zero_page(w);

	workload_report(w, "marked", workload_pages_marked(w, p, (size_t)w->huge, PAGEMAP_FILE));
}

/*
 * PAGEMAP_SCAN reports PAGE_IS_FILE for page cache that a PMD maps; up to 7.2 also for the huge
 * zero page.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, MAP_SHMEM_BY_A_PMD, 0);
	int64_t pages = trial_reported(t, MAP_SHMEM_BY_A_PMD, "pages");
	int64_t shmem = trial_reported(t, MAP_SHMEM_BY_A_PMD, "marked");
	int64_t zero = trial_reported(t, READ_THE_HUGE_ZERO_PAGE, "marked");

	judge_fact_of(j, "pagemap.bit_61_of_the_huge_zero_page", zero, pages, "off", "on",
		      "on some");
	if (shmem || zero || snapshot_value(s, METRIC_SCAN_FILE) >= 0)
		judge_equal(j, MAP_SHMEM_BY_A_PMD, "bit 61", shmem, pages,
			    "bit 61 is set for all pages, on kernels that have PAGEMAP_SCAN "
			    "or set it for any huge page");
}

CASE(thp_file_bit) {
	.claim =
		"Bit 61 of pagemap should be set for all page cache that a PMD maps; kernels up to 6.10 set it for none",
	.because = "Since 6.11 pagemap_pmd_range() checks whether the folio behind a PMD is "
		   "anonymous. Up to 7.2 it also sets the bit for the huge zero page.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst"),
	.needs = NEEDS("thp", "zero_page"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(MAP_SHMEM_BY_A_PMD, "map shmem by a PMD", map_and_collapse),
		       STEP_AS(READ_THE_HUGE_ZERO_PAGE, "read the huge zero page", read_nothing)),
	.posts = POSTS(VIRT_OTHER(1), SHMEM_HUGE(1), VIRT_DATA(1), ZERO_READ(1)),
	.facts = FACTS(FACT("pagemap.bit_61_of_the_huge_zero_page",
			    "Bit 61 of pagemap (file or shared) of the huge zero page is",
			    "on|off")),
	.judge = judge,
};
