// SPDX-License-Identifier: MIT
/* As the processes that share pages end one by one, each survivor's share grows to the whole. */
#include <rssck/case.h>

enum { PAGES = 240, CHILDREN = 3, REGION = 0, PARENT = 0 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
}

static void expect_anon(struct workload *w, int64_t pages, unsigned sharers, unsigned process)
{
	workload_expect(w, ANON_WRITE(pages, .sharers = sharers, .process = process));
}

static void fork_all(struct workload *w)
{
	expect_anon(w, -PAGES, 1, PARENT);
	expect_anon(w, PAGES, CHILDREN + 1, PARENT);
	for (unsigned i = 1; i <= CHILDREN; i++) {
		workload_fork(w, i);
		w->number[i] = 1;
		workload_expect(w, VIRT_DATA(PAGES, .process = i));
		expect_anon(w, PAGES, CHILDREN + 1, i);
	}
	w->number[PARENT] = 1;
}

static void reap(struct workload *w, unsigned process)
{
	unsigned alive = 0;

	workload_reap(w, process);
	w->number[process] = 0;
	for (unsigned i = 0; i <= CHILDREN; i++)
		alive += w->number[i] != 0;
	for (unsigned i = 0; i <= CHILDREN; i++) {
		if (!w->number[i])
			continue;
		expect_anon(w, -PAGES, alive + 1, i);
		expect_anon(w, PAGES, alive, i);
	}
}

static void reap_second(struct workload *w)
{
	reap(w, 2);
}

static void reap_first(struct workload *w)
{
	reap(w, 1);
}

static void reap_third(struct workload *w)
{
	reap(w, 3);
}

CASE(fork_reap_order) {
	.claim = "When a process that shares pages ends, the Pss of all others grows; the last "
		 "one's pages are private again",
	.because = "zap lowers each page's mapcount by one, from 4 to 1 here. The survivors' RES "
		   "stays: a page counts whole in each.",
	.said_by = SAID_BY("ELC: USS and PSS", "proc_pid_smaps(5), Pss"),
	.processes = CHILDREN,
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("fork 3 children", fork_all), STEP("the second ends", reap_second),
		       STEP("the first ends", reap_first), STEP("the third ends", reap_third)),
	.posts = POSTS(ANON_WRITE(1, .sharers = 2)),
};
