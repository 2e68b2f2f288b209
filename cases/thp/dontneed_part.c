// SPDX-License-Identifier: MIT
/* MADV_DONTNEED of a part of a huge page removes only that part from RES. */
#include <rssck/case.h>

enum { REGION = 0, CHILD = 1 };

static void dontneed(struct workload *w, size_t bytes)
{
	workload_advise(w, w->slot[REGION], bytes, MADV_DONTNEED);
}

static void dontneed_one(struct workload *w)
{
	dontneed(w, w->page_size);
	workload_expect(w, ANON_HUGE(-w->huge), ANON_WRITE(w->huge - 1));
}

/* 511 entries map the remaining pages, and fork copies the entries in batches. */
static void fork_child(struct workload *w)
{
	int64_t left = w->huge - 1;

	workload_fork(w, CHILD);
	workload_expect(w, VIRT_DATA(w->huge, .process = CHILD),
			SHARED_WITH(CHILD, ANON_WRITE, left));
}

static void reap(struct workload *w)
{
	workload_reap(w, CHILD);
	workload_expect(w, RESHARED(ANON_WRITE, w->huge - 1, 2, 1));
}

static void dontneed_all(struct workload *w)
{
	dontneed(w, w->huge_page_size);
	workload_expect(w, ANON_WRITE(-(w->huge - 1)));
}

CASE(thp_dontneed_part) {
	.claim = "MADV_DONTNEED of one page of a huge page removes one page from RES, and the "
		 "whole huge page from AnonHugePages",
	.because = "The zap first splits the PMD into 512 entries, then clears one of them. The "
		   "next touch maps a small page there.",
	.said_by = SAID_BY("madvise(2), MADV_DONTNEED"),
	.needs = NEEDS("thp"),
	.processes = 1,
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", step_huge_page),
		       STEP("MADV_DONTNEED one page", dontneed_one), STEP("fork", fork_child),
		       STEP("child exits", reap), STEP("MADV_DONTNEED the rest", dontneed_all),
		       STEP("touch one page", step_write, .pages = 1, MOVES(ANON_WRITE(1)))),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
};
