// SPDX-License-Identifier: MIT
/* MADV_DONTNEED gives pages back and keeps the address space; touched again they are new. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
}

static void dontneed(struct workload *w, size_t pages)
{
	workload_must(w, madvise(w->slot[REGION], pages * w->page_size, MADV_DONTNEED),
		      "MADV_DONTNEED");
}

static void drop_one(struct workload *w)
{
	dontneed(w, 1);
}

static void drop_half(struct workload *w)
{
	dontneed(w, PAGES / 2);
}

static void read_first(struct workload *w)
{
	const volatile char *p = w->slot[REGION];

	for (size_t i = 0; i < PAGES / 2; i++)
		if (p[i * w->page_size])
			workload_fail(w, "page %zu kept its content over MADV_DONTNEED", i);
}

static void write_first(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES / 2);
}

CASE(anonymous_dontneed) {
	.claim = "MADV_DONTNEED takes pages out of RES and leaves VIRT; touched again, they are "
		 "new pages",
	.because = "zap_page_range_single() clears the entries and subtracts each page from "
		   "MM_ANONPAGES; the mapping stays, so the next fault maps a zeroed page.",
	.said_by = SAID_BY("madvise(2)", "Memory part 3: Managing memory"),
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("drop one page", drop_one, MOVES(ANON_WRITE(-1))),
		       STEP("drop half", drop_half, MOVES(ANON_WRITE(-(PAGES / 2 - 1)))),
		       STEP("drop it again", drop_half),
		       STEP("read what was dropped", read_first, MOVES(ZERO_READ(PAGES / 2))),
		       STEP("drop the zero pages", drop_half, MOVES(ZERO_READ(-(PAGES / 2)))),
		       STEP("write it", write_first, MOVES(ANON_WRITE(PAGES / 2)))),
};
