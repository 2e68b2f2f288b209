// SPDX-License-Identifier: MIT
/*
 * clear_refs and MADV_COLD clear Referenced of a huge page; touching any part sets it for the whole
 * page.
 */
#include <rssck/case.h>

enum { MANY = 1024 };
STEP_SYMBOLS(WRITE, CLEAR_REFS_1, TOUCH_ONE_PAGE, COLD);

/*
 * clear_refs 1 does not flush the TLB; unmapping many small pages flushes all of it. mprotect()
 * would, too, but clears the dirty bit on some kernels.
 */
static void clear(struct workload *w)
{
	void *p = workload_try_map(MANY * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	workload_clear_refs(w, '1');
	if (!p || madvise(p, MANY * w->page_size, MADV_NOHUGEPAGE) < 0)
		workload_die(w, "%d small pages: %m", MANY);
	touch_write(w, p, MANY);
	munmap(p, MANY * w->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { WRITE, CLEAR_REFS_1, TOUCH_ONE_PAGE, COLD };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct mapping *m = trial_mapping(t, steps[i], 0, steps[0], "address");

		judge_equal_in(
			j, "bytes", steps[i], "Referenced",
			m ? mapping_smaps(m, METRIC_SMAPS_REFERENCED) * 1024 : -1,
			i % 2 ? 0 : t->host->huge_page_size,
			"Referenced = all bytes of the huge page if it was accessed since clear_refs or MADV_COLD, else 0");
	}
}

CASE(thp_referenced) {
	.claim =
		"clear_refs and MADV_COLD set Referenced of a huge page to 0; touching one of its pages makes Referenced count all of it",
	.because = "The CPU sets the accessed bit in the PMD that maps the whole huge page. "
		   "clear_refs_pte_range() clears this bit and the folio's referenced flag.",
	.said_by = SAID_BY("proc_pid_clear_refs(5)", "proc_pid_smaps(5), Referenced"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(WRITE, "write", step_huge_page, .report = "address"),
		       STEP_AS(CLEAR_REFS_1, "clear_refs 1", clear),
		       STEP_AS(TOUCH_ONE_PAGE, "touch one page", step_read, .pages = 1),
		       STEP_AS(COLD, "MADV_COLD", step_advise, .pages = THP, .advice = MADV_COLD)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.judge = judge,
};
