// SPDX-License-Identifier: MIT
/* MADV_COLD makes pages look untouched and takes none of them. */
#include <rssck/case.h>

/* <sys/mman.h> of 5.4 */
enum { COLD = 20 };

enum { PAGES = 256, REGION = 0 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	workload_tell(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
}

static void cool(struct workload *w)
{
	if (madvise(w->slot[REGION], PAGES * w->page_size, COLD) < 0)
		workload_skip(w, "MADV_COLD: %m");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char *const steps[] = { "write", "MADV_COLD" };

	for (int i = 0; i < 2; i++) {
		const struct mapping *m = trial_mapping(t, steps[i], 0, "write", "address");

		judge_equal(j, steps[i], "Referenced",
			    m ? mapping_smaps(m, METRIC_SMAPS_REFERENCED) * 1024 /
					    t->host->page_size
			      : -1,
			    i ? 0 : PAGES, "Referenced = the pages touched and not cooled since");
	}
}

CASE(anonymous_cold) {
	.claim = "MADV_COLD takes Referenced to 0 and moves no other number: the pages stay in RES",
	.because = "madvise_cold_or_pageout_pte_range() makes each entry old and moves its page to "
		   "the inactive list, where reclaim looks first.",
	.said_by = SAID_BY("madvise(2), MADV_COLD"),
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("MADV_COLD", cool)),
	.judge = judge,
};
