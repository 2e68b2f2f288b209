// SPDX-License-Identifier: MIT
/* Reclaim drops MADV_FREE pages and keeps the pages that were written since. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0, SCRATCH = 1 };

/* Drains this CPU's batch of MADV_FREE pages; anonymous/madv_free explains why. */
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
			workload_fail(w,
				      "page %zu has the wrong content (written pages keep "
				      "theirs, dropped pages read as zero)",
				      i);
}

CASE(anonymous_madv_free_pressure) {
	.claim = "Reclaim drops MADV_FREE pages from RES and LazyFree without writing them to "
		 "swap; pages written after MADV_FREE stay",
	.because = "try_to_unmap_one() frees a page that is clean and not swap-backed, and "
		   "lowers MM_ANONPAGES. It leaves no swap entry, so the next read maps the zero "
		   "page.",
	.said_by = SAID_BY("madvise(2), MADV_FREE"),
	.steps = STEPS(STEP("write and MADV_FREE", write_and_free,
			    MOVES(VIRT_DATA(PAGES + 1), ANON_LAZYFREE(PAGES))),
		       STEP("write half", step_write, .slot = REGION, .pages = HALF,
			    MOVES(ANON_LAZYFREE(-HALF), ANON_TAKEN_BACK(HALF))),
		       STEP("reclaim the rest", reclaim, MOVES(ANON_LAZYFREE(-HALF))),
		       STEP("read all", read_all, MOVES(ZERO_READ(HALF)))),
};
