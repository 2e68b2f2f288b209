// SPDX-License-Identifier: MIT
/* MADV_COLD, MADV_FREE and reclaim affect all pages of a large folio. */
#include <rssck/case.h>

enum { FOLIOS = 4, PAGES = FOLIOS * WORKLOAD_FOLIO_PAGES, REGION = 0 };
STEP_SYMBOLS(TOUCH, COLD);

static void touch(struct workload *w)
{
	w->slot[REGION] = workload_large_folios(w, FOLIOS);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, COLD, 0, TOUCH, "address");

	judge_equal_in(j, "kB", COLD, "Referenced",
		       m ? mapping_smaps(m, METRIC_SMAPS_REFERENCED) : -1, 0,
		       "no page is Referenced after MADV_COLD");
}

CASE(thp_mthp_given_up) {
	.claim = "All pages of a large folio leave Referenced after MADV_COLD, enter LazyFree "
		 "after MADV_FREE, and leave RES when reclaim drops them",
	.because = "MADV_COLD and MADV_FREE change all entries of the folio in one batch "
		   "(folio_pte_batch()). Reclaim lowers MM_ANONPAGES by the number of its pages.",
	.said_by = SAID_BY("madvise(2)"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(TOUCH, "touch", touch),
		       STEP_AS(COLD, "MADV_COLD", step_advise, .pages = PAGES, .advice = MADV_COLD),
		       STEP("MADV_FREE", step_advise, .pages = PAGES, .advice = MADV_FREE,
			    MOVES(ANON_WRITE(-PAGES), ANON_LAZYFREE(PAGES))),
		       STEP("reclaim", step_reclaim, .pages = PAGES, MOVES(ANON_LAZYFREE(-PAGES)))),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
	.judge = judge,
};
