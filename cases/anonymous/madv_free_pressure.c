// SPDX-License-Identifier: MIT
/* Under pressure MADV_FREE pages are dropped, and pages written since stay. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0, SCRATCH = 1 };

/* As in anonymous/madv_free: drains this CPU's batch of pages to be marked. */
static void drain(struct workload *w)
{
	touch_write(w, w->slot[SCRATCH], 1);
	madvise(w->slot[SCRATCH], w->page_size, MADV_DONTNEED);
	madvise(w->slot[SCRATCH], w->page_size, MADV_COLD);
}

static void write_and_free(struct workload *w)
{
	w->slot[SCRATCH] = workload_anonymous(w, 1);
	w->slot[REGION] = workload_written(w, PAGES);
	drain(w);
	if (madvise(w->slot[REGION], PAGES * w->page_size, MADV_FREE) < 0)
		workload_skip(w, "MADV_FREE: %m");
	drain(w);
}

static void reclaim(struct workload *w)
{
	workload_reclaim(w, (char *)w->slot[REGION] + HALF * w->page_size, HALF);
}

static void read_all(struct workload *w)
{
	const char *p = w->slot[REGION];

	for (size_t i = 0; i < PAGES; i++)
		if (p[i * w->page_size] != (i < HALF ? (char)(i | 1) : 0))
			workload_fail(w, "page %zu is not what was written, or not zero", i);
}

CASE(anonymous_madv_free_pressure) {
	.claim = "Reclaim drops MADV_FREE pages from RES and from LazyFree without writing them to "
		 "swap; pages written since stay",
	.because = "try_to_unmap_one() directly frees a page that is clean and not swap-backed, "
		   "and lowers MM_ANONPAGES. No swap entry is left: the next read finds the zero "
		   "page.",
	.said_by = SAID_BY("madvise(2), MADV_FREE"),
	.steps = STEPS(STEP("write and MADV_FREE", write_and_free,
			    MOVES(VIRT_DATA(PAGES + 1), ANON_LAZYFREE(PAGES))),
		       STEP("write half", step_write, .slot = REGION, .pages = HALF,
			    MOVES(ANON_LAZYFREE(-HALF), ANON_TAKEN_BACK(HALF))),
		       STEP("reclaim the rest", reclaim, MOVES(ANON_LAZYFREE(-HALF))),
		       STEP("read all", read_all, MOVES(ZERO_READ(HALF)))),
};
