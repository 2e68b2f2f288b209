// SPDX-License-Identifier: MIT
/* After ksmd's next scan ksm_merging_pages falls by the pages that are no longer merged. */
#include "rounds.h"
#include <sys/uio.h>

/* KEPT stays mergeable, because ksmd scans only while a process has mergeable memory. */
enum { PAGES = 64, HALF = PAGES / 2, REGION = 0, KEPT = 1, PIPE = 0 };
STEP_SYMBOLS(WRITE_HALF, UNMERGEABLE);

static int64_t merging(struct workload *w)
{
	return ksm_number(w, "/proc/self/ksm_merging_pages", NULL);
}

/* All pages are equal, except the one in KEPT. No page of another process equals them. */
static void write_and_merge(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	for (size_t i = 0; i < PAGES; i++)
		snprintf((char *)w->slot[REGION] + i * w->page_size, 64, "alike %d", (int)getpid());
	w->slot[KEPT] = workload_anonymous(w, 1);
	snprintf(w->slot[KEPT], 64, "kept %d", (int)getpid());
	workload_advise(w, w->slot[KEPT], w->page_size, MADV_MERGEABLE);
	ksm_merge(w, w->slot[REGION], PAGES);
}

static void write_half(struct workload *w)
{
	ksm_write_apart(w, w->slot[REGION], HALF);
	ksm_wait_for_rounds(w);
	workload_report(w, "merging", merging(w));
}

/* The pipe refers to the merged page but does not map it, so the page outlives its last entry. */
static void hold_by_a_pipe(struct workload *w)
{
	struct iovec page = { (char *)w->slot[REGION] + HALF * w->page_size, w->page_size };

	workload_must(w, pipe2(&w->fd[PIPE], O_NONBLOCK | O_CLOEXEC), "pipe2");
	workload_must(w, vmsplice(w->fd[PIPE + 1], &page, 1, 0), "vmsplice");
}

static void look_into_the_pipe(struct workload *w)
{
	char held[64], alike[64];

	snprintf(alike, sizeof(alike), "alike %d", (int)getpid());
	if (read(w->fd[PIPE], held, sizeof(held)) != sizeof(held) || strcmp(held, alike))
		workload_fail(w, "the pipe does not have the merged page's content");
	workload_checked(w);
	close(w->fd[PIPE]);
	close(w->fd[PIPE + 1]);
}

static void unmerge(struct workload *w)
{
	workload_advise(w, w->slot[REGION], PAGES * w->page_size, MADV_UNMERGEABLE);
	ksm_wait_for_rounds(w);
	workload_report(w, "merging", merging(w));
	look_into_the_pipe(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_reported(t, j, WRITE_HALF, "merging", "ksm_merging_pages", HALF,
		       "ksm_merging_pages does not count a page that was written");
	judge_reported(t, j, UNMERGEABLE, "merging", "ksm_merging_pages", 0,
		       "ksm_merging_pages does not count unmerged pages, even while a pipe "
		       "refers to one");
}

CASE(ksm_merging_pages) {
	.claim = "After ksmd's next scan /proc/PID/ksm_merging_pages is lower by the pages that "
		 "were written or unmerged, even while a pipe refers to one of them",
	.because = "stable_tree_append() adds a page to ksm_merging_pages, and "
		   "remove_rmap_item_from_tree() subtracts it. ksmd calls the latter when it "
		   "finds that a page has changed or is no longer mergeable.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, ksm_merging_pages"),
	.needs = NEEDS("ksm"),
	.limit_s = 60,
	.steps = STEPS(STEP("write and merge", write_and_merge, .flags = STEP_ANY_PAGES),
		       STEP_AS(WRITE_HALF, "write half", write_half, .flags = STEP_ANY_PAGES),
		       STEP("vmsplice one to a pipe", hold_by_a_pipe),
		       STEP_AS(UNMERGEABLE, "MADV_UNMERGEABLE", unmerge, .flags = STEP_ANY_PAGES,
			       .checks = 1)),
	.judge = judge,
};
