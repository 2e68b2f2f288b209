// SPDX-License-Identifier: MIT
/* When one of several processes that share pages ends, the Pss of each remaining process grows. */
#include <rssck/case.h>

enum { PAGES = 240, CHILDREN = 3, PARENT = 0 };

static void fork_all(struct workload *w)
{
	workload_expect(w, RESHARED(ANON_WRITE, PAGES, 1, CHILDREN + 1));
	for (unsigned i = 1; i <= CHILDREN; i++) {
		workload_fork(w, i);
		w->number[i] = 1;
		workload_expect(w, VIRT_DATA(PAGES, .process = i),
				ANON_WRITE(PAGES, .sharers = CHILDREN + 1, .process = i));
	}
	w->number[PARENT] = 1;
}

static void reap(struct workload *w)
{
	unsigned alive = 0;

	step_reap(w);
	w->number[w->step->child] = 0;
	for (unsigned i = 0; i <= CHILDREN; i++)
		alive += w->number[i] != 0;
	for (unsigned i = 0; i <= CHILDREN; i++)
		if (w->number[i])
			workload_expect(
				w, RESHARED(ANON_WRITE, PAGES, alive + 1, alive, .process = i));
}

CASE(fork_reap_order) {
	.claim =
		"When a process that shares pages ends, the Pss of every remaining sharer grows; in the last one the pages are private",
	.because = "Each exit lowers each page's mapcount by one, here from 4 down to 1. The RES "
		   "of the remaining processes does not change, because it counts each page in "
		   "full.",
	.said_by = SAID_BY("ELC: USS and PSS", "proc_pid_smaps(5), Pss"),
	.processes = CHILDREN,
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP("fork 3 children", fork_all), STEP("the second ends", reap, .child = 2),
		       STEP("the first ends", reap, .child = 1),
		       STEP("the third ends", reap, .child = 3)),
	.posts = POSTS(ANON_WRITE(1, .sharers = 2)),
};
