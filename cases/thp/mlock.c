// SPDX-License-Identifier: MIT
/*
 * Locked counts all of a locked huge page, and kpageflags marks its frames. Unlocking a part splits
 * the mapping.
 */
#include <rssck/case.h>

enum { REGION = 0 };
STEP_SYMBOLS(TOUCH_ONE_HUGE_PAGE, MLOCK);

static void lock(struct workload *w)
{
	if (mlock(w->slot[REGION], w->huge_page_size) < 0)
		workload_skip(w, "mlock of %zu kB: %m", w->huge_page_size / 1024);
	workload_expect(w, VIRT_LOCKED(w->huge), ANON_HUGE(-w->huge),
			ANON_HUGE(w->huge, .also = PAGE_LOCKED));
	workload_report(w, "pages", w->huge);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_value(t, MLOCK, 0, METRIC_FRAMES_MLOCKED) >= 0)
		judge_moved_since(t, j, TOUCH_ONE_HUGE_PAGE, MLOCK, METRIC_FRAMES_MLOCKED,
				  trial_reported(t, MLOCK, "pages"),
				  "kpageflags marks each frame of a locked huge page");
}

CASE(thp_mlock) {
	.claim = "Locked counts a locked huge page in full, and the page stays huge; after half "
		 "of it is unlocked, Locked counts the other half and AnonHugePages is 0",
	.because = "mlock_pte_range() marks the folio behind the PMD. munlock of a part splits "
		   "the mapping, and the mapping's new boundary splits the PMD.",
	.said_by = SAID_BY("mlock(2)", "proc_pid_smaps(5), Locked"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(TOUCH_ONE_HUGE_PAGE, "touch one huge page", step_huge_page),
		       STEP_AS(MLOCK, "mlock", lock),
		       STEP("munlock half", step_unlock, .pages = THP / 2,
			    MOVES(VIRT_LOCKED(-THP / 2), ANON_HUGE(-THP, .also = PAGE_LOCKED),
				  ANON_LOCKED(THP / 2), ANON_WRITE(THP / 2))),
		       STEP("munlock the rest", step_unlock, .pages = THP,
			    MOVES(ANON_TO_LOCKED(-THP / 2)))),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1), VIRT_LOCKED(1), ANON_LOCKED(1)),
	.moves = METRICS(METRIC_FRAMES_MLOCKED),
	.judge = judge,
};
