// SPDX-License-Identifier: MIT
/*
 * In untouched private anonymous memory MADV_POPULATE_READ maps the zero page, and
 * MADV_POPULATE_WRITE allocates pages.
 */
#include <rssck/case.h>

enum { PAGES = 256 };

CASE(anonymous_populate) {
	.claim =
		"In untouched private anonymous memory MADV_POPULATE_READ maps the zero page, which is in no RSS; MADV_POPULATE_WRITE allocates pages",
	.because = "Each advice takes the page fault of an access without the access. On "
		   "untouched memory a read fault maps the zero page, and a write fault "
		   "allocates a page.",
	.said_by = SAID_BY("madvise(2), MADV_POPULATE_READ"),
	.steps = STEPS(STEP("populate for reading", step_map, .pages = PAGES,
			    .advice = MADV_POPULATE_READ,
			    MOVES(VIRT_DATA(PAGES), ZERO_READ(PAGES))),
		       STEP("populate one page for writing", step_advise, .pages = 1,
			    .advice = MADV_POPULATE_WRITE, MOVES(ZERO_TO_ANON(1))),
		       STEP("populate all for writing", step_advise, .pages = PAGES,
			    .advice = MADV_POPULATE_WRITE, MOVES(ZERO_TO_ANON(PAGES - 1))),
		       STEP("populate all again", step_advise, .pages = PAGES,
			    .advice = MADV_POPULATE_WRITE)),
};
