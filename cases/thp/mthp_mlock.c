// SPDX-License-Identifier: MIT
/*
 * mlock of a whole large folio marks all its frames in kpageflags (up to 6.9 only the first), and
 * munlock unmarks them.
 */
#include <rssck/case.h>

enum { FOLIOS = 4, PAGES = FOLIOS * WORKLOAD_FOLIO_PAGES, REGION = 0 };
STEP_SYMBOLS(TOUCH, MLOCK, MUNLOCK);

static void touch(struct workload *w)
{
	w->slot[REGION] = workload_large_folios(w, FOLIOS);
	workload_report(w, "pages", PAGES);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char rule[] = "kpageflags marks exactly the locked frames";
	int64_t n = trial_reported(t, TOUCH, "pages");

	if (trial_value(t, MLOCK, 0, METRIC_FRAMES_MLOCKED) < 0)
		return;
	judge_moved_since(t, j, TOUCH, MLOCK, METRIC_FRAMES_MLOCKED, n, rule);
	judge_moved_since(t, j, MLOCK, MUNLOCK, METRIC_FRAMES_MLOCKED, -n, rule);
}

CASE(thp_mthp_mlock) {
	.claim =
		"After mlock of a whole large folio Locked counts all its pages, after munlock none; kpageflags shows KPF_MLOCKED for all its frames (up to 6.9 only for the first)",
	.because = "mlock_pte_range() locks a folio in one step if all its pages are in the "
		   "range.",
	.said_by = SAID_BY("proc_pid_smaps(5), Locked", "Documentation/admin-guide/mm/pagemap.rst"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(TOUCH, "touch", touch),
		       STEP_AS(MLOCK, "mlock", step_lock, .pages = PAGES,
			       MOVES(ANON_TO_LOCKED(PAGES))),
		       STEP_AS(MUNLOCK, "munlock", step_unlock, .pages = PAGES,
			       MOVES(ANON_TO_LOCKED(-PAGES)))),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
	.judge = judge,
};
