// SPDX-License-Identifier: MIT
/* MADV_DONTNEED removes pages and keeps the address space; the next touch gets a new page. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0 };

static void read_first(struct workload *w)
{
	const volatile char *p = w->slot[REGION];

	for (size_t i = 0; i < PAGES / 2; i++)
		if (p[i * w->page_size])
			workload_fail(w, "page %zu still has its content after MADV_DONTNEED", i);
}

CASE(anonymous_dontneed) {
	.claim = "MADV_DONTNEED removes pages from RES and leaves VIRT unchanged; the next touch "
		 "gets new pages",
	.because = "zap_page_range_single() clears the page table entries and subtracts each "
		   "page from MM_ANONPAGES. The mapping remains, so the next fault maps a zeroed "
		   "page.",
	.said_by = SAID_BY("madvise(2)", "Memory part 3: Managing memory"),
	.steps = STEPS(STEP("write", step_map, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("drop one page", step_advise, .pages = 1, .advice = MADV_DONTNEED,
			    MOVES(ANON_WRITE(-1))),
		       STEP("drop half", step_advise, .pages = PAGES / 2, .advice = MADV_DONTNEED,
			    MOVES(ANON_WRITE(-(PAGES / 2 - 1)))),
		       STEP("drop the same half again", step_advise, .pages = PAGES / 2,
			    .advice = MADV_DONTNEED),
		       STEP("read what was dropped", read_first, MOVES(ZERO_READ(PAGES / 2))),
		       STEP("drop the zero pages", step_advise, .pages = PAGES / 2,
			    .advice = MADV_DONTNEED, MOVES(ZERO_READ(-(PAGES / 2)))),
		       STEP("write the same half", step_write, .pages = PAGES / 2,
			    MOVES(ANON_WRITE(PAGES / 2)))),
};
