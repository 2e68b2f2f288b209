// SPDX-License-Identifier: MIT
/* MADV_DONTNEED removes pages and keeps the address space; the next write gets a new page. */
#include <rssck/case.h>

enum { PAGES = 256 };

CASE(anonymous_dontneed) {
	.claim =
		"MADV_DONTNEED removes anonymous pages from RES and leaves VIRT unchanged; a later read maps the zero page, a later write gets a new page",
	.because = "zap_pte_range() clears the page table entries and subtracts each page from "
		   "MM_ANONPAGES. The mapping remains, so the next fault maps a zeroed page.",
	.said_by = SAID_BY("madvise(2)", "Memory part 3: Managing memory"),
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP("drop one page", step_advise, .pages = 1, .advice = MADV_DONTNEED,
			    MOVES(ANON_WRITE(-1))),
		       STEP("drop half", step_advise, .pages = PAGES / 2, .advice = MADV_DONTNEED,
			    MOVES(ANON_WRITE(-(PAGES / 2 - 1)))),
		       STEP("drop the same half again", step_advise, .pages = PAGES / 2,
			    .advice = MADV_DONTNEED),
		       STEP("read what was dropped", step_read_zeroes, .pages = PAGES / 2,
			    .checks = 1, MOVES(ZERO_READ(PAGES / 2))),
		       STEP("drop the zero pages", step_advise, .pages = PAGES / 2,
			    .advice = MADV_DONTNEED, MOVES(ZERO_READ(-(PAGES / 2)))),
		       STEP("write the same half", step_write, .pages = PAGES / 2,
			    MOVES(ANON_WRITE(PAGES / 2)))),
};
