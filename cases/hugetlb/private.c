// SPDX-License-Identifier: MIT
/*
 * Private hugetlb pages are in HugetlbPages and in no RSS; a fork shares them until a process
 * writes.
 */
#include "pages.h"

enum { REGION = 0, CHILD = 1 };
STEP_SYMBOLS(MAP);

/* After a fork, when no entry is writable, mincore(2) must still report all pages. */
static void must_be_in_core(struct workload *w, int64_t expected)
{
	int64_t seen = workload_pages_in_core(w, w->slot[REGION], (size_t)pages(w));

	if (seen != expected)
		workload_fail(w, "mincore reports %lld of %lld pages as resident", (long long)seen,
			      (long long)pages(w));
}

static void map(struct workload *w)
{
	size_t bytes = workload_hugetlb_bytes();

	w->slot[REGION] = workload_hugetlb_map(w, bytes, -1);
	w->number[BYTES] = (int64_t)bytes;
	must_be_in_core(w, 0);
	workload_report(w, "bytes", (int64_t)bytes);
	workload_expect(w, VIRT_DATA(pages(w)));
}

static void write_byte(struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	must_be_in_core(w, pages(w));
	if (!workload_entries_run_on(w, w->slot[REGION], (size_t)pages(w)))
		workload_fail(w, "pagemap, read from the middle of the page, shows a different "
				 "frame");
	workload_expect(w, HUGETLB(pages(w)));
}

static void fork_child(struct workload *w)
{
	int64_t n = pages(w);

	workload_fork(w, CHILD);
	must_be_in_core(w, n);
	workload_expect(w, VIRT_DATA(n, .process = CHILD), SHARED_WITH(CHILD, HUGETLB, n));
}

static void reap(struct workload *w)
{
	workload_reap(w, CHILD);
	workload_expect(w, RESHARED(HUGETLB, pages(w), 2, 1));
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const enum metric_id sizes[] = { METRIC_SMAPS_KERNELPAGESIZE,
						METRIC_SMAPS_MMUPAGESIZE };

	for (size_t i = 0; i < 2; i++)
		judge_moved(j, MAP, sizes[i], trial_moved(t, STEP_BASELINE, MAP, 0, sizes[i]),
			    trial_reported(t, MAP, "bytes") / t->host->page_size, 0,
			    "the mapping's page size = Hugepagesize of /proc/meminfo");
}

CASE(hugetlb_private) {
	.claim =
		"A page of a MAP_PRIVATE hugetlb mapping is in HugetlbPages, and in Private_Hugetlb, or in Shared_Hugetlb while a forked child shares it; it is not in RSS, Pss or Anonymous",
	.because = "Hugetlb pages come from a separate pool. hugetlb_count_add() counts them in "
		   "a separate counter, not in an RSS counter, and smaps shows them in separate "
		   "fields.",
	.said_by = SAID_BY("proc_pid_status(5), HugetlbPages", "proc_pid_smaps(5)"),
	.needs = NEEDS("hugetlb"),
	.processes = 1,
	.steps = STEPS(STEP_AS(MAP, "map", map), STEP("write one byte", write_byte),
		       STEP("fork", fork_child), STEP("the child exits", reap)),
	.posts = POSTS(VIRT_DATA(1), HUGETLB(1), HUGETLB(1, .sharers = 2)),
	.moves = METRICS(METRIC_SMAPS_KERNELPAGESIZE, METRIC_SMAPS_MMUPAGESIZE),
	.judge = judge,
};
