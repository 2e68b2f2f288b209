// SPDX-License-Identifier: MIT
/*
 * On the tested kernels ksm_zero_pages permanently counts KSM's zero pages that UFFDIO_MOVE has
 * moved.
 */
#include "zeroes.h"

enum { THERE = 1, UFFD = 0 };
STEP_SYMBOLS(MERGEABLE, UNMAP);

static void make_room(struct workload *w)
{
	w->slot[THERE] = workload_anonymous(w, PAGES);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[THERE], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_MISSING, 0);
}

static void move(struct workload *w)
{
	workload_userfaultfd_move(w, w->fd[UFFD], w->slot[THERE], w->slot[REGION],
				  PAGES * w->page_size);
}

static void unmap(struct workload *w)
{
	for (int i = REGION; i <= THERE; i++) {
		workload_unmap(w, w->slot[i], PAGES * w->page_size);
	}
	ksm_report_zero_pages(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t before = trial_reported(t, MERGEABLE, "of this process");
	int64_t after = trial_reported(t, UNMAP, "of this process");

	if (before < 0)
		return; /* ksm_zero_pages exists since 6.6 */
	judge_equal(j, MERGEABLE, "ksm_zero_pages", before, PAGES,
		    "ksm_stat counts the zero pages that KSM mapped");
	judge_fact_of(j, "ksm.zero_pages_that_UFFDIO_MOVE_has_moved", after, PAGES,
		      "counted while they are mapped", "counted for ever", "otherwise");
}

CASE(ksm_zero_pages_moved) {
	.claim =
		"When UFFDIO_MOVE moves KSM's zero pages, RES does not change, and ksm_zero_pages should count them until they are unmapped; all tested kernels count them permanently",
	.because = "move_zeropage_pte() makes the new entry of the zero page without the dirty "
		   "bit. ksm_might_unmap_zero_page() recognizes KSM's zero pages by this bit "
		   "when they are unmapped.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, ksm_zero_pages",
			   "Documentation/admin-guide/mm/userfaultfd.rst, UFFDIO_MOVE"),
	.needs = NEEDS("ksm", "guest"),
	.limit_s = 30,
	.steps = STEPS(ZEROES_MERGED, STEP("make room", make_room, MOVES(VIRT_DATA(PAGES))),
		       STEP("UFFDIO_MOVE", move),
		       STEP_AS(UNMAP, "unmap", unmap,
			       MOVES(VIRT_DATA(-2 * PAGES), ZERO_PLACED(-PAGES)))),
	.facts = FACTS(FACT("ksm.zero_pages_that_UFFDIO_MOVE_has_moved",
			    "KSM's zero pages that UFFDIO_MOVE has moved are",
			    "counted while they are mapped|counted for ever")),
	.judge = judge,
};
